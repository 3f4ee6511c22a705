/** The request header by which a call that comes twice is known (draft-ietf-httpapi-idempotency-key-header). */
export const KEY_HEADER = "Idempotency-Key";
/** The hidden field that stands for it in a form. */
export const KEY_FIELD = "idempotencyKey";
