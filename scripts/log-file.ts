import { createWriteStream } from "node:fs";

/** Opened on the first line, because the stack empties the folder while it starts. */
export function logTo(file: string): (line: string) => void {
  let stream: ReturnType<typeof createWriteStream> | undefined;
  return (line) => {
    stream ??= createWriteStream(file);
    stream.write(`${line}\n`);
  };
}
