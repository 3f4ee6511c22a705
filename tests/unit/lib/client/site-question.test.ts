import { ApiError } from "@/lib/client/api";
import { siteQuestion, withSiteAnswer } from "@/lib/client/site-question";

const uncertain = () => new ApiError(409, "Which one?", true, "SITE_UNCERTAIN");
const needsAnswer = jest.fn(async ({ site }: { site?: string } = {}) => {
  if (!site) throw uncertain();
  return site;
});

beforeEach(() => jest.clearAllMocks());
afterEach(() => siteQuestion.answer(null));

/** Lets pending calls reach their question. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it("asks nothing while the site is known", async () => {
  expect(await withSiteAnswer(async (site) => site)).toBeUndefined();
  await expect(withSiteAnswer(() => Promise.reject(new ApiError(409, "No.", true, "REMOTE_CHANGED")))).rejects.toThrow(
    "No.",
  );
  expect(siteQuestion.read()).toBeNull();
});

it("asks once for all calls that meet the question, and repeats them with the answer", async () => {
  const listener = jest.fn();
  const unsubscribe = siteQuestion.subscribe(listener);
  const calls = [withSiteAnswer(needsAnswer), withSiteAnswer(needsAnswer)];
  await settle();
  expect(siteQuestion.read()).toBe("Which one?");
  expect(listener).toHaveBeenCalledTimes(1);
  siteQuestion.answer("other");
  expect(await Promise.all(calls)).toEqual(["other", "other"]);
  expect(siteQuestion.read()).toBeNull();
  expect(listener).toHaveBeenCalledTimes(2);
  unsubscribe();
});

it("fails with the question when it is closed, and asks again next time", async () => {
  const call = withSiteAnswer(needsAnswer);
  await settle();
  siteQuestion.answer(null);
  await expect(call).rejects.toMatchObject({ type: "SITE_UNCERTAIN", text: "Which one?" });
  expect(needsAnswer).toHaveBeenCalledTimes(1);
  const again = withSiteAnswer(needsAnswer);
  await settle();
  siteQuestion.answer("same");
  expect(await again).toBe("same");
});
