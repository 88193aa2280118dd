import { decodeTyped, isObject, type JsonObject, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { type ApplicationFields, onlyFields, withParents } from '../applications/application-fields.ts';
import { messageNamed } from '../messages/message-types.ts';
import { TextCache } from './text-cache.ts';

/** Applications as JSON. A version of an Application is encoded once for all clients that ask for the same fields. */
export class ApplicationEncoder {
  readonly #cache = new TextCache(limits.serverEncodedBytes);

  /** `keep` is for what others will ask for too; a list of everything would displace the rest. */
  encode(application: object, fields: ApplicationFields | undefined, keep = true): string {
    const key = keyOf(application, fields);
    const known = key === undefined ? undefined : this.#cache.get(key);
    if (known !== undefined) return known;
    // What comes from the watch is JSON already, and need not be copied.
    const given = isObject(application) ? application : {};
    const text = JSON.stringify(fields ? onlyFields(shaped(withParents(given, fields)), fields) : shaped(given));
    if (keep && key !== undefined) this.#cache.set(key, text);
    return text;
  }
}

const shaped = (application: JsonObject): JsonObject =>
  decodeTyped(application, messageNamed('v1alpha1.Application')).object;

/** Undefined for what does not come from the cluster. */
function keyOf(application: object, fields: ApplicationFields | undefined): string | undefined {
  const [uid, version] = [textAt(application, 'metadata', 'uid'), textAt(application, 'metadata', 'resourceVersion')];
  return uid === '' || version === '' ? undefined : `${uid} ${version} ${fields?.key ?? '*'}`;
}
