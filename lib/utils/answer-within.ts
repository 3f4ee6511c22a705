/** The answer, or `late` if it takes longer than so many milliseconds. Whatever becomes of the answer then is ignored. */
export function answerWithin<T, L>(ms: number, answer: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  answer.catch(() => undefined);
  return Promise.race([answer, end]).finally(() => clearTimeout(timer));
}
