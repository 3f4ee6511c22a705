/** The media query of Tailwind's `max-md`. */
export const PHONE_QUERY = "(max-width: 767.98px)";
