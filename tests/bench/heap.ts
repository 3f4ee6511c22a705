import { WebSocket } from "undici";
import { freePort } from "@/scripts/ports";
import type { Bench } from "@/tests/bench/benchmark";

/** Bytes of the JavaScript heap after a collection, and of the resident memory. */
export type Heap = { used: number; resident: number };

/** Environment for an app whose heap can be inspected. */
export async function inspectable(): Promise<Record<string, string>> {
  return { NODE_OPTIONS: `--inspect=127.0.0.1:${await freePort()}` };
}

/** Collects garbage and measures over the Chrome DevTools protocol. */
export async function heapOf({ stack }: Bench): Promise<Heap> {
  const address = stack.environment.NODE_OPTIONS?.replace("--inspect=", "");
  const [target] = (await (await fetch(`http://${address}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let calls = 0;
  const ask = <Result>(method: string, params: object = {}) =>
    new Promise<Result>((resolve) => {
      const id = ++calls;
      socket.addEventListener("message", ({ data }) => {
        const answer = JSON.parse(String(data)) as { id: number; result: Result };
        if (answer.id === id) resolve(answer.result);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await ask("HeapProfiler.collectGarbage");
  const { usedSize } = await ask<{ usedSize: number }>("Runtime.getHeapUsage");
  const { result } = await ask<{ result: { value: number } }>("Runtime.evaluate", {
    expression: "process.memoryUsage().rss",
  });
  socket.close();
  return { used: usedSize, resident: result.value };
}
