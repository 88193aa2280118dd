import { isSearched, searchText } from './properties.ts';

/** A value of a property, and who has it. */
export interface IndexedValue<E> {
  /** Small and unique among those that exist, to count in arrays. */
  readonly id: number;
  readonly property: string;
  readonly text: string;
  readonly members: Set<E>;
}

/**
 * Members by the values of their properties. A value exists while it has members. Search reads the distinct values rather than at the members: values
 * that could contain a word are found by three of its letters.
 */
export class ValueIndex<E> {
  readonly #properties = new Map<string, Map<string, IndexedValue<E>>>();
  readonly #byLetters = new Map<string, Set<IndexedValue<E>>>();
  readonly #freeIds: number[] = [];
  #ids = 0;

  /** All ids are below it. */
  get idLimit(): number {
    return this.#ids;
  }

  properties(): Iterable<string> {
    return this.#properties.keys();
  }

  values(property: string): Iterable<IndexedValue<E>> {
    return this.#properties.get(property)?.values() ?? [];
  }

  count(property: string): number {
    return this.#properties.get(property)?.size ?? 0;
  }

  members(property: string, text: string): ReadonlySet<E> | undefined {
    return this.#properties.get(property)?.get(text)?.members;
  }

  add(property: string, text: string, member: E): IndexedValue<E> {
    const value = this.#properties.get(property)?.get(text) ?? this.#create(property, text);
    value.members.add(member);
    return value;
  }

  remove(value: IndexedValue<E>, member: E): void {
    value.members.delete(member);
    if (value.members.size > 0) return;
    const values = this.#properties.get(value.property);
    values?.delete(value.text);
    if (values?.size === 0) this.#properties.delete(value.property);
    this.#freeIds.push(value.id);
    for (const letters of lettersOf(value)) {
      const found = this.#byLetters.get(letters);
      found?.delete(value);
      if (found?.size === 0) this.#byLetters.delete(letters);
    }
  }

  /** Members that have the word, in lower case, in one of the values that are searched. */
  containing(word: string): Set<E> {
    const found = new Set<E>();
    for (const value of this.#candidates(word)) {
      if (!searchText(value.property, value.text).includes(word)) continue;
      for (const member of value.members) found.add(member);
    }
    return found;
  }

  #create(property: string, text: string): IndexedValue<E> {
    const id = this.#freeIds.pop() ?? this.#ids++;
    const value: IndexedValue<E> = { id, property, text, members: new Set() };
    const values = this.#properties.get(property) ?? new Map<string, IndexedValue<E>>();
    this.#properties.set(property, values.set(text, value));
    for (const letters of lettersOf(value)) {
      const known = this.#byLetters.get(letters) ?? new Set<IndexedValue<E>>();
      this.#byLetters.set(letters, known.add(value));
    }
    return value;
  }

  /** Words of one or two letters are looked for in all values. */
  *#candidates(word: string): Iterable<IndexedValue<E>> {
    if (word.length >= 3) return yield* this.#rarest(word);
    for (const [property, values] of this.#properties) if (isSearched(property)) yield* values.values();
  }

  #rarest(word: string): Iterable<IndexedValue<E>> {
    let rarest: ReadonlySet<IndexedValue<E>> | undefined;
    for (const letters of threes(word)) {
      const found = this.#byLetters.get(letters);
      if (!found) return [];
      if (!rarest || found.size < rarest.size) rarest = found;
    }
    return rarest ?? [];
  }
}

const lettersOf = ({ property, text }: { readonly property: string; readonly text: string }): ReadonlySet<string> =>
  isSearched(property) ? threes(searchText(property, text)) : none;

const none: ReadonlySet<string> = new Set();

function threes(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) found.add(text.slice(at, at + 3));
  return found;
}
