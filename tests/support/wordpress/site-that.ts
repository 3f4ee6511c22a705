import type { SafeFetch, SafeFetchOptions } from "@/lib/net/safe-fetch";
import { createWordPressClient } from "@/lib/wordpress/client";

/** Who asks, where it does not matter. */
export const A_CALLER = { userId: "one", username: "me", password: "abcd efgh ijkl mnop qrst uvwx" };

export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  /** Undefined stands for a web page. */
  json: unknown;
};
export type SentRequest = SafeFetchOptions & { method: string; url: URL };

const A_PAGE = "<!DOCTYPE html><html><body>A page</body></html>";

/** A client of a site that answers each request with what `answer` returns or throws. */
export function siteThat(
  answer: (request: SentRequest, count: number) => Answer,
  apiRoot = "https://x.example/wp-json/",
) {
  const requests: SentRequest[] = [];
  const fetch: SafeFetch = async (address, options = {}) => {
    const url = new URL(address);
    requests.push({ method: "GET", ...options, url });
    const { status = 200, headers, json } = answer({ method: "GET", ...options, url }, requests.length);
    return {
      status,
      headers: new Headers(headers),
      url: url.href,
      text: json === undefined ? A_PAGE : JSON.stringify(json),
    };
  };
  const client = createWordPressClient({ ...A_CALLER, apiRoot, fetch });
  return {
    client,
    fetch,
    requests,
    requestLines: () => requests.map(({ method, url }) => `${method} ${url.pathname.slice(15)}`),
  };
}

/** For answers that lack what was asked for. */
export const UNEXPECTED = {
  type: "WORDPRESS_REJECTED",
  message: expect.stringContaining("that WordPress does not give"),
};

/** WordPress' error with this code. */
export const refusal = (status: number, code: string, data: object = {}): Answer => ({
  status,
  json: { code, message: "", data: { status, ...data } },
});

/** A post as in the REST API's edit context. */
export const aPost = (id: number, fields: object = {}) => ({
  id,
  status: "publish",
  link: "https://x.example/a/",
  slug: "a",
  title: { raw: "A" },
  content: { raw: "Text" },
  ...fields,
});
