import { createWriteStream } from "node:fs";

/** Returns a function that writes lines. The file opens on the first, because the stack empties the folder while it starts. */
export function logTo(file: string): (line: string) => void {
  let stream: ReturnType<typeof createWriteStream> | undefined;
  return (line) => {
    stream ??= createWriteStream(file);
    stream.write(`${line}\n`);
  };
}
