import { againAfterDeadlock, codesOf, isUniqueViolation } from "@/lib/utils/database";

/** As a driver's error reaches us: wrapped by its adapter and by Prisma. */
function wrapped(code: string) {
  return Object.assign(new Error("query failed"), {
    code: "P2010",
    meta: { driverAdapterError: { cause: { originalCode: code } } },
  });
}

describe("errors of the database", () => {
  it("finds the codes through all wrappings", () => {
    expect(codesOf(wrapped("23505"))).toEqual(["P2010", "23505"]);
    expect(codesOf("text")).toEqual([]);
  });

  it("knows a unique violation by Prisma's code and by Postgres' own", () => {
    expect(isUniqueViolation({ code: "P2002" })).toBe(true);
    expect(isUniqueViolation(wrapped("23505"))).toBe(true);
    expect(isUniqueViolation(wrapped("23503"))).toBe(false);
  });
});

describe("againAfterDeadlock", () => {
  it("runs a transaction again that lost a deadlock, and no other failure", async () => {
    const twice = jest.fn().mockRejectedValueOnce(wrapped("40P01")).mockResolvedValueOnce("done");
    await expect(againAfterDeadlock(twice)).resolves.toBe("done");
    expect(twice).toHaveBeenCalledTimes(2);
    const other = jest.fn().mockRejectedValue(wrapped("23503"));
    await expect(againAfterDeadlock(other)).rejects.toThrow("query failed");
    expect(other).toHaveBeenCalledTimes(1);
  });

  it("gives up after three", async () => {
    const always = jest.fn().mockRejectedValue(wrapped("40P01"));
    await expect(againAfterDeadlock(always)).rejects.toThrow("query failed");
    expect(always).toHaveBeenCalledTimes(3);
  });
});
