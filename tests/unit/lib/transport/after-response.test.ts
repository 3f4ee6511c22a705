import { log } from "@/lib/log";
import { afterResponse } from "@/lib/transport/after-response";

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("work after the response", () => {
  it("starts once the caller has finished, even outside a Next.js request", async () => {
    const order: string[] = [];
    afterResponse("test", async () => {
      order.push("work");
    });
    order.push("answer");
    await settled();
    expect(order).toEqual(["answer", "work"]);
  });

  it("is logged under its name when it fails, and does not fail the caller", async () => {
    const logged = jest.spyOn(log, "error").mockImplementation(() => undefined);
    afterResponse("a failing mail", () => Promise.reject(new Error("no mail server")));
    await settled();
    await settled();
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ what: "a failing mail", err: expect.objectContaining({ message: "no mail server" }) }),
      expect.any(String),
    );
  });
});
