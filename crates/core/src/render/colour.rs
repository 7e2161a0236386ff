//! The colours of pictures, each in light and dark, and [`Look`]: which of them, and what a screen reader says.
//!
//! Colours are attributes of elements, never a `style`, so that a picture can stand inside a page whose content
//! security policy allows no inline style. Only [`Theme::System`] has a style sheet: it is for pictures in files. It
//! finds an element by the light colour of its attribute, so no two colours are the same when light.

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on nearly black.
    Dark,
    /// Light, or dark where the reader's system, browser or page is dark: by a style sheet with
    /// `prefers-color-scheme`, which works in a file that a page shows as an image. Programs that do not know it show
    /// the light picture. Inside a page, its style sheet would colour other pictures, too.
    System,
}

/// How a picture looks: its theme, its title, and cells that are marked.
///
/// ```
/// use cnfkit::render::{Look, Theme};
/// let map: cnfkit::GemMap = "3, T, 2, G".parse().unwrap();
/// let picture = map.to_svg_with(&Look::new(Theme::Dark).titled("A row").marking([(0, 2)]));
/// assert!(picture.contains("<title>A row</title>"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    pub(super) theme: Theme,
    pub(super) title: Option<String>,
    pub(super) marked: Vec<(usize, usize)>,
}

impl Look {
    /// A look without marks, with the title that the picture gives itself.
    #[must_use]
    pub fn new(theme: Theme) -> Self {
        Self { theme, ..Self::default() }
    }

    /// With this title instead: browsers show it beside the pointer, and screen readers say it.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// With rings in these cells, by row and column from 0, besides those that it has; cells that the picture does not
    /// have are left out.
    #[must_use]
    pub fn marking(mut self, cells: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.marked.extend(cells);
        self
    }
}

/// Declares the colours: name, light, dark.
macro_rules! colours {
    ($($(#[$doc:meta])* $name:ident $light:literal $dark:literal;)*) => {
        /// A colour by what it says; a [`Theme`] has a value for each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Colour {
            $($(#[$doc])* $name,)*
        }

        impl Colour {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            const fn light(self) -> &'static str {
                match self {
                    $(Self::$name => $light,)*
                }
            }

            const fn dark(self) -> &'static str {
                match self {
                    $(Self::$name => $dark,)*
                }
            }
        }
    };
}

colours! {
    /// The ground of a picture, and of cells that nothing is said about.
    Paper "white" "#14161a";
    /// Text, lines, and what a puzzle gives.
    Ink "black" "#eceef1";
    /// Entered values, and smaller text.
    Soft "#555555" "#b9bfc8";
    /// Solved values.
    Solved "#1f4fd8" "#8fb8ff";
    /// Mistakes, and traps.
    Alarm "#c8102e" "#ff99a1";
    /// Gems.
    Good "#126b27" "#7fe093";
    /// The ring of a marked cell.
    Mark "#b35900" "#ffb454";
    /// A cell that is darker than its region, drawn over its ground.
    Shade "#000000" "#ffffff";
    /// A ground of one region among several.
    Region0 "#ffffff" "#1d2127";
    /// A ground of one region among several.
    Region1 "#dfe9f8" "#22375c";
    /// A ground of one region among several.
    Region2 "#fdeccb" "#4d3d16";
    /// A ground of one region among several.
    Region3 "#daf1dc" "#1f4426";
    /// A ground of one region among several.
    Region4 "#f8dfea" "#4f2540";
    /// A ground of one region among several.
    Region5 "#e9e9e9" "#3a3e45";
    /// The ground of a cell that is not known.
    Unknown "#dddddd" "#343941";
    /// The ground of a trap.
    TrapGround "#fbe3e4" "#511f28";
    /// The ground of a gem.
    GemGround "#e2f3e4" "#1b3f25";
    /// A cell that is filled, or that is none.
    Filled "#4a4a4a" "#8b929d";
}

impl Colour {
    /// The grounds of regions: told apart by any eye, since they differ in lightness, too.
    pub const REGIONS: [Self; 6] =
        [Self::Region0, Self::Region1, Self::Region2, Self::Region3, Self::Region4, Self::Region5];

    /// The value as SVG writes it.
    #[must_use]
    pub const fn value(self, theme: Theme) -> &'static str {
        match theme {
            Theme::Light | Theme::System => self.light(),
            Theme::Dark => self.dark(),
        }
    }
}

/// The style sheet of [`Theme::System`].
pub(super) fn style_sheet() -> String {
    let rule = |property: &str, colour: Colour| {
        format!("[{property}=\"{}\"] {{ {property}: {}; }}\n", colour.light(), colour.dark())
    };
    let rules: String = Colour::ALL.iter().flat_map(|&colour| [rule("fill", colour), rule("stroke", colour)]).collect();
    format!("@media (prefers-color-scheme: dark) {{\n{rules}}}")
}
