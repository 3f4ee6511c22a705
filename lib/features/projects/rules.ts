/** The length of a search, in characters. */
export const PROJECT_SEARCH_MAX = 300;

/** Words of a whole post, as a writing style may ask for them. */
export const WORDS_MIN = 300;
export const WORDS_MAX = 6_000;
export const WORDS_DEFAULT = 1_400;
/** The length of a writing style's own instructions, in characters. */
export const STYLE_INSTRUCTIONS_MAX = 2_000;
