import { newDesk, newPiece } from "@/tests/support/factories";

it.each(["generate-outline", "generate-from-outline"])("%s asks for a key with its own sentence", async (verb) => {
  const desk = await newDesk();
  const url = `/api/content/${await newPiece(desk, desk)}`;
  await desk.caller.patch(url, { outline: "## One\nFirst." });
  const answer = await desk.caller.post(`${url}/${verb}`);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    type: "MISSING_API_KEY",
    error: "OpenAI API key not found. Please add your API key in the settings page.",
  });
});
