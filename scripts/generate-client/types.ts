/** The part of JSON Schema that the OpenAPI document of the server uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema;
}

/** The declaration of a named schema. */
export function declaration(name: string, schema: JsonSchema): string {
  const comment = schema.description === undefined ? '' : `/** ${schema.description} */\n`;
  if (schema.properties) return `${comment}export interface ${name} ${fieldsOf(schema)}\n`;
  return `${comment}export type ${name} = ${typeOf(schema)};\n`;
}

/** The TypeScript type of the values of a schema. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.enum) return schema.enum.map((value) => quoted(String(value))).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${grouped(typeOf(schema.items ?? {}))}[]`;
    case 'object':
      if (schema.properties) return fieldsOf(schema);
      return `Readonly<Record<string, ${schema.additionalProperties ? typeOf(schema.additionalProperties) : 'unknown'}>>`;
    default:
      return 'unknown';
  }
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const comment = field.description === undefined ? '' : `/** ${field.description} */\n`;
    return `${comment}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

const grouped = (type: string): string => (/[|\s]/u.test(type) && !type.startsWith('{') ? `(${type})` : type);

export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
