// Sets the colours somebody chose before the first thing is painted. A module would run too late: the page would flash
// in the other colours. `main.js` has the switch.
(function () {
  'use strict';
  try {
    const chosen = localStorage.getItem('cnfkit-theme');
    if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen;
  } catch {
    // No storage: the system's colours are used.
  }
})();
