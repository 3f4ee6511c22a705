/**
 * What one user or stranger may take of a process that all share. The rules per minute or hour are in rate-limits.ts.
 */

/**
 * Calls at work at once. The database pool has ten connections and Node one thread, so that more at once would make
 * each slower and none sooner.
 */
export const PLACES = 20;
/** The places of one caller: others always find most of them free. */
export const PLACES_EACH = 8;
/** Calls of one caller at work, searches included. More would only compete for the one thread. */
export const CALLS_EACH = 4;
/** Calls at work of one caller beside others in the gate: four instead of two made theirs 1.7 times as slow. */
export const CALLS_BESIDE_OTHERS = 2;
/** Calls of one caller that wait: for a place, a provider or a site. Five tabs at once need fewer. */
export const WAITING_EACH = 32;
/** Calls that wait in all, about 20 KB each. */
export const WAITING_IN_ALL = 1_000;
/** How many clients those who share one unknown address count as, see SHARED_ADDRESS. */
export const STRANGERS_FACTOR = 10;
/** Sessions whose user a process remembers, 100 bytes each. */
export const KNOWN_SESSIONS = 10_000;
/** A search scans what no index finds, so two of a caller run at once. */
export const PLACES_OF_A_SEARCH = 4;
/** Answers that arrive as they are written; nobody reads more than a few. */
export const STREAMS_EACH = 8;
/** Those of them that follow the queues: one a browser is enough, since its tabs share it. */
export const FOLLOWERS_EACH = 4;
/** Callers with a call that works, waits or is away. Each holds a connection or more, and about a kilobyte. */
export const CALLERS = 10_000;
/** Responses that have not been sent. Each holds about 10 KB; a request beyond them is cut off. */
export const RESPONSES = 20_000;

/** Ampersands in an address. Ours have ten parameters at most, and Next's time grows with the square of their number. */
export const PARAMETERS = 50;
/** A request must arrive within this time: 4 MB, the largest, at half a megabit a second. */
export const REQUEST_MS = 60_000;
/** A client that takes not one byte for this long has gone, or keeps our answer in our memory on purpose. */
export const UNREAD_MS = 60_000;
/** The time between comments in a silent event stream: proxies close idle connections after 30 to 60 seconds. */
export const STREAM_COMMENT_MS = 15_000;
/** A stream of changes ends by itself after this time, before a platform cuts it after 300 s. Its reader comes back. */
export const FOLLOW_MS = 240_000;
/** The time between two changes that such a stream sends. */
export const FOLLOW_PAUSE_MS = 250;

/** Calls of the engine above this are rare: they carry the results of many steps. */
export const ENGINE_LARGE_BODY = 262_144;
/** What may have arrived of incomplete bodies: sixteen small ones or two large ones, with the overhead of their chunks. */
export const ENGINE_BYTES = 17 * ENGINE_LARGE_BODY;
export const ENGINE_LARGE_BYTES = 11 * 1_048_576;
/** The time for a body from its first byte. The engine sends one at once. */
export const ENGINE_BODY_MS = 5_000;
/** Calls from one address that are not the engine's, and for how long they count. */
export const ENGINE_FAILURES = 20;
export const ENGINE_FAILURES_MS = 60_000;
/** An address is not refused for this long after a verified call: other apps call from Inngest's addresses too. */
export const ENGINE_TRUST_MS = 600_000;
/** Addresses that a process remembers, 100 bytes each. */
export const KNOWN_ADDRESSES = 10_000;

/** Bytes of memory that a chunk of a body takes besides its own, measured with chunks of one byte. */
export const CHUNK_OVERHEAD = 500;
/** Memory of the bodies that are arriving or whose requests wait for a place: fifteen of the largest. */
export const BUFFERED_BYTES = 64 * 1_048_576;
/** Requests on one connection that have no answer yet. Browsers do not pipeline. */
export const PIPELINED_REQUESTS = 16;

/**
 * A list ends early above this, in bytes of JSON, and the next page follows by its Link. It holds a thousand ordinary
 * rows; while more is checked and written, all others wait.
 */
export const MAX_LIST_BYTES = 1_000_000;
/**
 * A page carries a list up to this size, and the browser reads a longer one itself: in a page it would come before
 * anything can be seen. It holds 400 ordinary rows.
 */
export const MAX_PAGE_LIST_BYTES = 200_000;

/**
 * Titles that a call compares on the request's thread: a thousand of the greatest length hold the others up for 50 ms.
 * More go to a worker.
 */
export const TITLES_ON_THREAD_MAX = 1_000;

/** Calls between app and job engine about runs that nobody waits for: few, so that others' requests come between them. */
export const MAX_UNWANTED_CALLS = 4;

/**
 * Requests that wait for one site, in this process. The largest job reads three sets of a hundred posts one by one; a user who
 * runs ten such jobs still has room.
 */
export const SITE_WAITING_PER_USER = 4_000;
/** A waiting request holds a kilobyte: twenty megabytes for a site at most. */
export const SITE_WAITING = 20_000;
/** Users of a site whose pauses are remembered, for a minute at most. */
export const SITE_PAUSES = 1_000;
/** Sites whose pace is remembered: one that comes back after a thousand others starts like a new one. */
export const SITES_REMEMBERED = 1_000;

/** Users whose posts are settled at once: a few hanging sites leave room for the others. */
export const SETTLING_AT_ONCE = 8;
/** One user's share of a run: the time-outs of two reads, so that a site which hangs has been asked. */
export const SETTLING_USER_MS = 20_000;
/** A run begins nothing after this. A write that was sent may take another minute, and a step of the engine gets five. */
export const SETTLING_MS = 120_000;

/** A sweep removes what was deleted for this long at most: a step of the engine gets five minutes. */
export const REMOVING_MS = 120_000;
