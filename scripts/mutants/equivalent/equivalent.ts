/** A mutant that no test can kill: the line before and after (ignoring white space), and the reason. */
export type Equivalent = { file: string; from: string; to: string; reason: string };
