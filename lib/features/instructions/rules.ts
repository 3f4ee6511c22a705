/** The limit in characters: what the shortest field that an instruction is put into takes. */
export const SAVED_INSTRUCTION_MAX = 1_000;

/** Bounds the list, which has no pages. */
export const MAX_INSTRUCTIONS = 50;
