import type { GoType } from '../go-template/go-type.ts';
import { GoMap, type GoValue, type Methods } from '../go-template/go-value.ts';

/** A view of a map under another type: a change through either is visible in both, as when Go converts a map. */
export class SharedMap extends GoMap {
  private readonly target: GoMap;

  constructor(target: GoMap, type: GoType, methods?: Methods) {
    super(null, type, methods);
    this.target = target;
  }

  override get size(): number {
    return this.target.size;
  }
  override get(key: string): GoValue {
    return this.target.get(key);
  }
  override has(key: string): boolean {
    return this.target.has(key);
  }
  override set(key: string, value: GoValue): this {
    this.target.set(key, value);
    return this;
  }
  override delete(key: string): boolean {
    return this.target.delete(key);
  }
  override clear(): void {
    this.target.clear();
  }
  override keys(): MapIterator<string> {
    return this.target.keys();
  }
  override values(): MapIterator<GoValue> {
    return this.target.values();
  }
  override entries(): MapIterator<[string, GoValue]> {
    return this.target.entries();
  }
  override forEach(visit: (value: GoValue, key: string, map: Map<string, GoValue>) => void): void {
    this.target.forEach(visit);
  }
  override [Symbol.iterator](): MapIterator<[string, GoValue]> {
    return this.target.entries();
  }
}
