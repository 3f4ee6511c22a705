declare module "commonmark-spec" {
  /** The examples of the CommonMark specification; "→" is a tab. */
  export const tests: { markdown: string; html: string; section: string; number: number }[];
}
