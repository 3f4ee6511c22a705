import { log } from "@/lib/log";
import { afterAnswer } from "@/lib/utils/after";

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("work after the answer", () => {
  it("begins when the caller is done, also where Next serves no request", async () => {
    const order: string[] = [];
    afterAnswer("test", async () => {
      order.push("work");
    });
    order.push("answer");
    await settled();
    expect(order).toEqual(["answer", "work"]);
  });

  it("is logged under its name when it fails, and fails nobody else", async () => {
    const logged = jest.spyOn(log, "error").mockImplementation(() => undefined);
    afterAnswer("a failing mail", () => Promise.reject(new Error("no mail server")));
    await settled();
    await settled();
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ what: "a failing mail", err: expect.objectContaining({ message: "no mail server" }) }),
      expect.any(String),
    );
  });
});
