import { errorCodes, isUniqueViolation } from "@/lib/db/errors";
import { retryOnDeadlock } from "@/lib/db/retry";

/** A driver's error as its adapter and Prisma wrap it. */
function wrapped(code: string) {
  return Object.assign(new Error("query failed"), {
    code: "P2010",
    meta: { driverAdapterError: { cause: { originalCode: code } } },
  });
}

describe("database errors", () => {
  it("have their codes found in all layers", () => {
    expect(errorCodes(wrapped("23505"))).toEqual(["P2010", "23505"]);
    expect(errorCodes("text")).toEqual([]);
  });

  it("are unique violations by Prisma's code or by Postgres's own", () => {
    expect(isUniqueViolation({ code: "P2002" })).toBe(true);
    expect(isUniqueViolation(wrapped("23505"))).toBe(true);
    expect(isUniqueViolation(wrapped("23503"))).toBe(false);
  });
});

describe("retryOnDeadlock", () => {
  it("reruns a transaction that lost a deadlock, and does not retry other failures", async () => {
    const twice = jest.fn().mockRejectedValueOnce(wrapped("40P01")).mockResolvedValueOnce("done");
    await expect(retryOnDeadlock(twice)).resolves.toBe("done");
    expect(twice).toHaveBeenCalledTimes(2);
    const other = jest.fn().mockRejectedValue(wrapped("23503"));
    await expect(retryOnDeadlock(other)).rejects.toThrow("query failed");
    expect(other).toHaveBeenCalledTimes(1);
  });

  it("gives up after three attempts", async () => {
    const always = jest.fn().mockRejectedValue(wrapped("40P01"));
    await expect(retryOnDeadlock(always)).rejects.toThrow("query failed");
    expect(always).toHaveBeenCalledTimes(3);
  });
});
