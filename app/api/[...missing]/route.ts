import { AppError } from "@/lib/errors";
import { route } from "@/lib/transport/route";

/** Answers unknown paths with an error of the API; Next.js would answer with a page. */
const missing = route({ operationId: "missing", summary: "Nothing is here.", access: "anyone" }, async () => {
  throw new AppError("NOT_FOUND", { message: "There is no such path. GET /api/openapi.json names all there are." });
});

export { missing as DELETE, missing as GET, missing as PATCH, missing as POST, missing as PUT };
