import type { KubeObject } from '@fairlead/kube';
import type { Stored } from './storage.ts';

/** An object kept as its JSON text. The parsed form lives as long as someone else holds it (or until the next collection). */
export class StoredText implements Stored {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly text: string;
  private parsed: WeakRef<KubeObject> | undefined;

  constructor(namespace: string, name: string, uid: string, revision: number, text: string, object?: KubeObject) {
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.revision = revision;
    this.text = text;
    this.parsed = object && new WeakRef(object);
  }

  get object(): KubeObject {
    const known = this.parsed?.deref();
    if (known) return known;
    const object = JSON.parse(this.text) as KubeObject;
    this.parsed = new WeakRef(object);
    return object;
  }
}
