/** draft-ietf-httpapi-idempotency-key-header */
export const KEY_HEADER = "Idempotency-Key";
/** Its hidden field in a form. */
export const KEY_FIELD = "idempotencyKey";
