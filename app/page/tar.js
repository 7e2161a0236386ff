/** Several files as one: a tar archive (POSIX ustar), which every system unpacks. */

const BLOCK = 512;

/**
 * @param {{name: string, text: string}[]} files names of at most 100 bytes
 * @returns {Blob}
 */
export function tar(files) {
  const encoder = new TextEncoder();
  const parts = files.flatMap(({ name, text }) => {
    const bytes = encoder.encode(text);
    return [header(name, bytes.length), bytes, new Uint8Array(-bytes.length & (BLOCK - 1))];
  });
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}

/** The block before a file: its name, mode, owner, size and time, and the sum of all that. */
function header(name, size) {
  const block = new Uint8Array(BLOCK);
  const put = (at, text) => block.set(new TextEncoder().encode(text), at);
  const octal = (number, digits) => `${number.toString(8).padStart(digits, '0')}\0`;
  put(0, name);
  put(100, octal(0o644, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(Date.now() / 1000 | 0, 11));
  put(148, ' '.repeat(8) + '0');
  put(257, 'ustar\x0000');
  put(148, `${octal(block.reduce((sum, byte) => sum + byte, 0), 6)} `);
  return block;
}
