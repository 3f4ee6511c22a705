/** About the width that Google gives a title and a description on a desktop, in pixels, and its font sizes there. */
export const TITLE_PIXELS = 600;
export const TITLE_SIZE = 20;
export const DESCRIPTION_PIXELS = 960;
export const DESCRIPTION_SIZE = 14;
