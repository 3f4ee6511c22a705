/** A place where the AI asked for a source. */
export type SourceMark = { from: number; to: number; claim: string };

export function sourceMarks(text: string): SourceMark[] {
  return [...text.matchAll(/\[source needed(?::\s*([^[\]\n]{0,500}))?\]/gi)].map(
    ({ 0: mark, 1: claim = "", index }) => ({
      from: index,
      to: index + mark.length,
      claim: claim.trim(),
    }),
  );
}
