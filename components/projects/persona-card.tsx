import type { PersonaOut } from "@/lib/features/projects/schema";

/** A persona's name, age, description, interests and challenges. */
export function PersonaCard({ persona }: { persona: PersonaOut }) {
  const { name, age, description, interests, challenges } = persona;
  return (
    <div className="rounded-md border bg-card p-5 max-md:p-4">
      <h3 dir="auto" className="wrap-anywhere font-medium font-serif text-lg">
        {age === null ? name : `${name}, ${age}`}
      </h3>
      <p dir="auto" className="mt-2 whitespace-pre-line text-pretty wrap-anywhere font-serif text-md">
        {description}
      </p>
      <Traits title="Interests" items={interests} />
      <Traits title="Challenges" items={challenges} />
    </div>
  );
}

function Traits({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h4 className="mt-5 mb-1 font-medium text-muted-foreground text-sm">{title}</h4>
      <ul>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a trait may be listed twice, and the list is not reordered here.
          <li key={`${index} ${item}`} dir="auto" className="wrap-anywhere border-t py-1.5">
            {item}
          </li>
        ))}
      </ul>
    </>
  );
}
