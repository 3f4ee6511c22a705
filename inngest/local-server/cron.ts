/** Does the schedule match the minute of `time` (milliseconds, UTC)? */
export type CronSchedule = (time: number) => boolean;

const FIELDS = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day of month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12 },
  { name: "day of week", min: 0, max: 7 },
] as const;

/** Parses five fields of `*`, `*` with a step, numbers, ranges and lists. Throws on anything else. */
export function parseCron(text: string): CronSchedule {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) throw new Error(`a schedule has five fields, "${text}" does not`);
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, i) => parseField(fields[i] ?? "", field)) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.has(7)) weekdays.add(0);
  const anyDay = fields[2]?.startsWith("*");
  const anyWeekday = fields[4]?.startsWith("*");

  return (time) => {
    const date = new Date(time);
    const day = days.has(date.getUTCDate());
    const weekday = weekdays.has(date.getUTCDay());
    // As in cron, one of the two is enough when both are restricted.
    const onDay = anyDay || anyWeekday ? day && weekday : day || weekday;
    return (
      minutes.has(date.getUTCMinutes()) && hours.has(date.getUTCHours()) && months.has(date.getUTCMonth() + 1) && onDay
    );
  };
}

function parseField(text: string, { name, min, max }: (typeof FIELDS)[number]): Set<number> {
  const allowed = new Set<number>();
  for (const part of text.split(",")) {
    const shape = /^(?:\*(?:\/(\d+))?|(\d+)(?:-(\d+))?)$/.exec(part);
    if (!shape) throw new Error(`"${part}" is not a ${name} it knows (*, */n, numbers, ranges, lists)`);
    const [, step, from, to] = shape;
    const first = from === undefined ? min : Number(from);
    const last = from === undefined ? max : Number(to ?? from);
    const stride = Number(step ?? 1);
    if (first < min || last > max || first > last || stride < 1) throw new Error(`"${part}" is not a valid ${name}`);
    for (let value = first; value <= last; value += stride) allowed.add(value);
  }
  return allowed;
}
