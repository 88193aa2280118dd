import { type JsonObject, kindOfType, type ObjectSchema, type Schema, typeNamed } from '@fairlead/apimachinery';
import { definitionOf, refTo, scalarDefinitions } from './shape.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The definitions of one document: each referenced type, transitively. */
export class Definitions {
  readonly #made = new Map<string, JsonObject>();
  readonly #group: string;
  readonly #version: string;

  constructor(group: string, version: string) {
    this.#group = group;
    this.#version = version;
  }

  /** A reference to a built-in type. */
  ref(name: string): JsonObject {
    const scalar = scalarDefinitions[name];
    if (scalar) this.#made.set(name, scalar);
    else this.#add(typeNamed(name), name);
    return refTo(name);
  }

  /** A reference to a definition that is created elsewhere (the schema of a custom resource). */
  own(name: string, definition: JsonObject): JsonObject {
    this.#made.set(name, definition);
    return refTo(name);
  }

  /** Built from a schema that is not a built-in type. */
  define(schema: ObjectSchema): JsonObject {
    return definitionOf(schema, (each, name) => this.#refer(each, name));
  }

  all(): JsonObject {
    return Object.fromEntries([...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(schema: Schema, name: string): void {
    if (schema.type === 'object') this.#add(typeNamed(name), name);
    else this.#made.set(name, scalarDefinitions[name] ?? {});
  }

  #add(schema: ObjectSchema, name: string): void {
    if (this.#made.has(name)) return;
    this.#made.set(name, {});
    const kinds = this.#kindsOf(name);
    const definition = this.define(schema);
    this.#made.set(name, kinds.length ? { ...definition, 'x-kubernetes-group-version-kind': kinds } : definition);
  }

  /** The kinds of a type. Options and Status belong to the core group and to the group of the document. */
  #kindsOf(name: string): JsonObject[] {
    const own = kindOfType(name);
    if (own) return [{ ...own }];
    if (name === `${meta}.Status`) return [{ group: '', version: 'v1', kind: 'Status' }];
    if (name !== `${meta}.DeleteOptions`) return [];
    const core = { group: '', version: 'v1', kind: 'DeleteOptions' };
    return this.#group === '' ? [core] : [core, { ...core, group: this.#group, version: this.#version }];
  }
}
