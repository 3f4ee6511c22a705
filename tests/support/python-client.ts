/**
 * What openapi-python-client would warn of in a document: the rules of its parser (`parser/{openapi,responses,bodies}.py`
 * and `parser/properties`), which leaves out what it warns of. `untyped` are schemas that it silently turns into
 * `Any`.
 */
export function readAsPythonClient(document: OpenApi): { warnings: string[]; untyped: string[] } {
  const warnings: string[] = [];
  const untyped: string[] = [];
  const classes = new Map<string, string>();
  const components = document.components?.schemas ?? {};

  for (const [name, schema] of Object.entries(components)) read(schema, { name, parent: "", place: name });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (operation) readOperation(path, operation, item.parameters ?? []);
    }
  }
  const functions = Object.values(document.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const modules = functions.map(({ tags, operationId }) => `${tags?.[0]}/${snake(operationId)}`);
  for (const name of repeated(modules)) warnings.push(`${name}: two operations`);
  return { warnings, untyped };

  function readOperation(path: string, operation: Operation, shared: Parameter[]) {
    const { operationId, responses, requestBody } = operation;
    const parameters = [...(operation.parameters ?? []), ...shared];
    for (const { name, in: location, required, schema, $ref } of parameters) {
      const place = `${operationId} ${name}`;
      if ($ref) warnings.push(`${place}: a parameter by reference`);
      if (!schema) continue;
      read(schema, { name, parent: operationId, place });
      if (location === "path" && !required) warnings.push(`${place}: a path parameter that is not required`);
      const isMade = ["object", "array"].includes(String(resolved(schema).type));
      if (isMade && location !== "query") warnings.push(`${place}: a list or an object outside the query`);
    }
    for (const name of repeated(parameters.map((each) => `${each.in} ${snake(each.name)}`))) {
      warnings.push(`${operationId} ${name}: two parameters of one Python name`);
    }
    const inPath = [...path.matchAll(/\{([\w-]+)\}/g)].map((match) => match[1]);
    const described = parameters.filter((each) => each.in === "path").map((each) => each.name);
    if (inPath.sort().join() !== described.sort().join())
      warnings.push(`${operationId}: other parameters than in its path`);

    for (const [status, { content = {} }] of Object.entries(responses)) {
      const place = `${operationId} ${status}`;
      if (!/^(default|\dXX|\d+)$/.test(status)) warnings.push(`${place}: no status`);
      const type = Object.keys(content).find((each) => /^text\/|^application\/(json|octet-stream)$|\+json$/.test(each));
      if (!type && Object.keys(content).length > 0) warnings.push(`${place}: unsupported content type`);
      const schema = type && content[type]?.schema;
      if (schema) read(schema, { name: `response_${status}`, parent: operationId, place });
    }
    for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
      const place = `${operationId} body`;
      if (!/^application\/(json|octet-stream|x-www-form-urlencoded)$|^multipart\/form-data$|\+json$/.test(type))
        warnings.push(`${place}: unsupported content type`);
      if (schema) read(schema, { name: "body", parent: operationId, place });
      else warnings.push(`${place}: no schema`);
    }
  }

  function read(schema: Schema, at: At): void {
    const { name, parent, place } = at;
    if (typeof schema !== "object") {
      warnings.push(`${place}: a schema that is no object`);
      return;
    }
    if (schema.$ref) {
      if (!components[schema.$ref.replace("#/components/schemas/", "")]) warnings.push(`${place}: a lost reference`);
      return;
    }
    const union = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    if (!takesDefault(schema)) warnings.push(`${place}: a default of another type`);
    if (schema.type === "boolean") return;
    if (schema.enum) {
      readEnum(schema.enum, { ...at, name: schema.title ?? name });
      return;
    }
    if (union.length > 0 || Array.isArray(schema.type)) {
      if (schema.properties) untyped.push(`${place}: properties beside a union`);
      const types = Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [];
      for (const [i, each] of [...union, ...types].entries()) {
        read(each, { name: `${name}_type_${i}`, parent, place: `${place}|${i}` });
      }
      return;
    }
    if (schema.const !== undefined) return;
    if (["string", "number", "integer", "null"].includes(String(schema.type))) return;
    if (schema.type === "array") {
      if (schema.items) read(schema.items, { name: `${name}_item`, parent, place: `${place}[]` });
      else warnings.push(`${place}: a list without items`);
    } else if (schema.type === "object" || schema.allOf || schema.properties) readModel(schema, at);
    else untyped.push(place);
  }

  function readEnum(values: unknown[], { name, parent, place }: At) {
    const given = values.filter((value) => value !== null);
    const types = new Set(given.map((value) => typeof value));
    if (types.size > 1) warnings.push(`${place}: an enum of mixed types`);
    if (![...types].every((type) => type === "string" || type === "number"))
      warnings.push(`${place}: an enum of neither texts nor numbers`);
    if (repeated(given.map((value) => snake(String(value)))).length > 0)
      warnings.push(`${place}: two names in one enum`);
    const known = declare(name, parent, `enum ${JSON.stringify(given)}`);
    if (known && known !== `enum ${JSON.stringify(given)}`) warnings.push(`${place}: two classes of one name`);
  }

  function readModel(schema: SchemaObject, { name, parent, place }: At) {
    const className = pascal(parent) + pascal(schema.title ?? name);
    if (declare(schema.title ?? name, parent, "model")) warnings.push(`${place}: two classes named ${className}`);
    const parts = (schema.allOf ?? []).map((part) => [part, resolved(part)] as const);
    for (const [part, whole] of parts) {
      if ((part as SchemaObject).$ref && whole.type !== "object") warnings.push(`${place}: allOf of what is no object`);
    }
    const properties = Object.assign({}, ...parts.map(([, whole]) => whole.properties), schema.properties) as Schemas;
    for (const twice of repeated(Object.keys(properties).map(snake)))
      warnings.push(`${place}: two properties named ${twice}`);
    for (const [key, value] of Object.entries(properties)) {
      read(value, { name: key, parent: className, place: `${place}.${key}` });
    }
    const { additionalProperties: rest } = schema;
    if (typeof rest === "object" && Object.keys(rest).length > 0) {
      read(rest, { name: "AdditionalProperty", parent: className, place: `${place}.*` });
    }
  }

  /** What this class is already, if anything. */
  function declare(name: string, parent: string, kind: string): string | undefined {
    const className = pascal(parent) + pascal(name);
    const known = classes.get(className);
    classes.set(className, kind);
    return known;
  }

  function resolved(schema: Schema): SchemaObject {
    const { $ref } = schema as SchemaObject;
    return (($ref && components[$ref.replace("#/components/schemas/", "")]) || schema) as SchemaObject;
  }
}

type OpenApi = { paths: Record<string, PathItem>; components?: { schemas?: Schemas } };
type PathItem = { parameters?: Parameter[] } & Partial<Record<(typeof METHODS)[number], Operation>>;
type Operation = {
  operationId: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema; $ref?: string };
type Content = Record<string, { schema?: Schema }>;
type Schemas = Record<string, Schema>;
type Schema = SchemaObject | boolean;
type SchemaObject = {
  $ref?: string;
  type?: string | string[];
  title?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  items?: Schema;
  properties?: Schemas;
  additionalProperties?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
type At = { name: string; parent: string; place: string };

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

function takesDefault({ default: value, enum: values, const: only, type, anyOf, oneOf }: SchemaObject): boolean {
  if (value === undefined || value === null) return true;
  if (values) return values.includes(value);
  const union = [...(anyOf ?? []), ...(oneOf ?? [])];
  if (union.length > 0)
    return union.some((each) => typeof each === "object" && takesDefault({ ...each, default: value }));
  if (only !== undefined) return value === only;
  const types = [type ?? []].flat();
  if (types.includes("object")) return false;
  const kind = Number.isInteger(value) && types.includes("integer") ? "integer" : typeof value;
  return types.length === 0 || types.includes("array") || types.includes(kind);
}

function repeated(names: string[]): string[] {
  return names.filter((name, i) => names.indexOf(name) !== i);
}

function words(name: string): string[] {
  return (
    name
      .replace(/[^\w. -]+/g, "")
      .split(/([A-Z]?[a-z]+)/)
      .join(" ")
      .match(/[^. _-]+/g) ?? []
  );
}

function snake(name: string): string {
  return words(name).join("_").toLowerCase();
}

function pascal(name: string): string {
  return words(name)
    .map((word) => (/[a-z]/.test(word) ? word.charAt(0).toUpperCase() + word.slice(1).toLowerCase() : word))
    .join("");
}
