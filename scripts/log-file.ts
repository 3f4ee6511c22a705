import { createWriteStream } from "node:fs";

/** Takes the app's own lines. Opened with the first one: the folder is emptied while the stack starts. */
export function appendTo(file: string): (line: string) => void {
  let stream: ReturnType<typeof createWriteStream> | undefined;
  return (line) => {
    stream ??= createWriteStream(file);
    stream.write(`${line}\n`);
  };
}
