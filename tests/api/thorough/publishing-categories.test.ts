import { setTimeout as wait } from "node:timers/promises";
import { type SampleWordPress, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { newPiece, newTopic } from "@/tests/support/factories";
import { connectedWorkspace } from "@/tests/support/publishing-workspace";
import { callAll, type SecondProcess, startSecondProcess } from "@/tests/support/second-process";

// WordPress can make two categories of one name when it is asked twice in the same moment.

let site: SampleWordPress;
let second: SecondProcess;

beforeAll(async () => {
  process.env.WORDPRESS_ALLOWED_HOSTS = "127.0.0.0/8";
  site = await startSampleWordPress();
  second = await startSecondProcess();
});
afterAll(() => Promise.all([site.close(), second.close()]));
afterEach(() => {
  site.faults.answerAfter = null;
});

it("is asked for a new category by one process at a time", async () => {
  const workspace = await connectedWorkspace(site);
  const topicId = await newTopic(workspace, workspace.projectId, `Shared ${workspace.username}`);
  const place = { projectId: workspace.projectId, topicId };
  const [first, other] = [
    await newPiece(workspace, place, { title: "First", body: "Text" }),
    await newPiece(workspace, place, { title: "Second", body: "Text" }),
  ];
  let [now, most] = [0, 0];
  site.faults.answerAfter = ({ method, route }) => {
    if (method !== "POST" || route !== "/wp/v2/categories") return undefined;
    most = Math.max(most, ++now);
    return wait(500).then(() => {
      now--;
    });
  };
  const publish = (id: string) => [
    { method: "POST", url: `/api/content/${id}/publish`, body: {}, cookie: workspace.caller.cookie() ?? "" },
  ];
  // Loads the code, so that both ask in the same moment.
  const nothing = publish("00000000-0000-4000-8000-000000000000");
  await Promise.all([callAll(nothing), second.callAll(nothing)]);
  const outcomes = (await Promise.all([callAll(publish(first)), second.callAll(publish(other))])).flat();
  expect(outcomes.map(({ status, error }) => [status, error])).toEqual(Array(2).fill([200, null]));
  expect(most).toBe(1);
});
