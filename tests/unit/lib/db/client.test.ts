import pg from "pg";
import { DatabaseClient, isTlsFailure } from "@/lib/db/client";

afterEach(() => jest.restoreAllMocks());

/** What a client reports whose driver could not connect, given back in both ways. */
async function reported(failure: Error): Promise<Error[]> {
  const client = new DatabaseClient({ connectionString: "postgresql://planner:secret@db.example.com:6432/planner" });
  const connect = jest.spyOn(pg.Client.prototype, "connect");
  connect.mockImplementation(() => Promise.reject(failure));
  const promised = await client.connect().then(
    () => new Error("connected"),
    (error: Error) => error,
  );
  connect.mockImplementation(((done: (error: Error) => void) => done(failure)) as never);
  return [promised, await new Promise<Error>((resolve) => client.connect(resolve))];
}

const UNKNOWN =
  "its certificate is signed by an authority that is not known here: set DATABASE_CA or sslrootcert to that";

it.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", UNKNOWN],
  ["SELF_SIGNED_CERT_IN_CHAIN", UNKNOWN],
  ["UNABLE_TO_GET_ISSUER_CERT", UNKNOWN],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", UNKNOWN],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", UNKNOWN],
  ["CERT_SIGNATURE_FAILURE", UNKNOWN],
  ["CERT_UNTRUSTED", UNKNOWN],
  ["CERT_HAS_EXPIRED", "its certificate, or that of its authority, has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name: use"],
])("says in a sentence what %s means, without the password", async (code, sentence) => {
  const failures = await reported(Object.assign(new Error("refused"), { code }));
  for (const failure of failures) {
    expect(failure.message).toContain(`PostgreSQL at db.example.com:6432 cannot be reached over TLS: ${sentence}`);
    expect(failure.message).not.toContain("secret");
    expect(failure).toMatchObject({ code: "08001" });
    expect(isTlsFailure(failure)).toBe(true);
  }
  expect(failures).toHaveLength(2);
});

it("hands every other failure on as it is", async () => {
  const failure = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(await reported(failure)).toEqual([failure, failure]);
  expect(isTlsFailure(failure)).toBe(false);
});
