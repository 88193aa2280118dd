import type { Application } from '@fairlead/api';
import { GoInt, GoMap, GoSlice, type GoValue } from '@fairlead/render/go-template';
import { nondeterministicCalls } from './functions.ts';
import type { Params } from './text-renderer.ts';

/**
 * Applications that templates gave for parameters. The same templates and parameters give the same object again, so that a reconcile without
 * changes renders and compares nothing. What the last round did not use is forgotten.
 */
export class RenderedApplications {
  #templates = '';
  #known = new Map<string, Application>();
  #used = new Map<string, Application>();

  /** Starts a round with all that rendering depends on, besides parameters. */
  begin(templates: string): void {
    this.#known = templates === this.#templates ? this.#used : new Map();
    this.#templates = templates;
    this.#used = new Map();
  }

  get(template: string, params: Params, render: () => Application): Application {
    const text = textOf(params);
    const key = `${template} ${text}`;
    const known = text === undefined ? undefined : this.#known.get(key);
    if (known) {
      this.#used.set(key, known);
      return known;
    }
    const calls = nondeterministicCalls();
    const rendered = render();
    if (text !== undefined && nondeterministicCalls() === calls) this.#used.set(key, rendered);
    return rendered;
  }
}

/** Different for different values; undefined for what has no text. */
function textOf(value: GoValue): string | undefined {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (typeof value !== 'object') return String(value);
  if (value === null) return 'null';
  if (value instanceof GoMap)
    return listText(
      [...value].map(([key, item]) => [textOf(key), textOf(item)].join()),
      value.type.name,
    );
  if (Array.isArray(value)) return listText(value.map(textOf), '');
  if (value instanceof GoSlice) return listText(value.items.map(textOf), value.type.name);
  return value instanceof GoInt ? `${value.type.name} ${value.value}` : undefined;
}

const listText = (items: readonly (string | undefined)[], type: string): string | undefined =>
  items.includes(undefined) ? undefined : `${type}[${items.join()}]`;
