import type { KubeObject } from '@fairlead/apimachinery';
import type { Stored } from './storage.ts';

/**
 * An object kept as its JSON text. The writer's object is used until watchers are notified; after that the parsed form lives as long as a
 * reader holds it. An object that is never read has no weak reference: that would make all of them survive the young generation and double
 * the memory of a busy server.
 */
export class StoredText implements Stored {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly text: string;
  private fresh: KubeObject | undefined;
  private parsed: WeakRef<KubeObject> | undefined;

  constructor(namespace: string, name: string, uid: string, revision: number, text: string, object?: KubeObject) {
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.revision = revision;
    this.text = text;
    this.fresh = object;
    this.parsed = undefined;
  }

  get object(): KubeObject {
    const known = this.parsed?.deref();
    if (known) return known;
    const object = this.fresh ?? (JSON.parse(this.text) as KubeObject);
    this.parsed = new WeakRef(object);
    return object;
  }

  letGo(): void {
    this.fresh = undefined;
  }
}
