import { createShutdown } from "@/scripts/shutdown";
import { startStack } from "@/scripts/stack";

/** A stack in a process of its own, to be killed: `run-stack.ts <folder> <port> <latencyMs>`. Says when it is ready. */
const [folder = "", port = "", latencyMs = "0"] = process.argv.slice(2);

const stack = await startStack(
  {
    mode: "demo",
    folder,
    environment: { ...process.env, PORT: port, HOST: "", RATE_LIMIT_SCALE: "100" },
    latencyMs: Number(latencyMs),
    print: console.log,
    output: console.log,
  },
  createShutdown(),
);
console.log(
  `Stack ready ${JSON.stringify({ url: stack.url, appPid: stack.appPid, account: stack.account, samples: stack.samples })}`,
);
