import { equalJson, isJsonObject, type Json, type JsonObject, own, put } from '@fairlead/apimachinery';
import { onlyItemsOf } from './through-type.ts';

/**
 * A predicted custom resource with the live lists wherever the server only added to their items. Such a list is atomic, and the defaults
 * that its definition sets in the items are not in the manifest.
 */
export function keepLiveLists(predicted: JsonObject, live: JsonObject): JsonObject {
  let result = predicted;
  for (const [name, value] of Object.entries(predicted)) {
    const before = own(live, name);
    const kept = before === undefined ? value : keepLive(value, before);
    if (kept === value) continue;
    if (result === predicted) result = { ...predicted };
    put(result, name, kept);
  }
  return result;
}

function keepLive(predicted: Json, live: Json): Json {
  if (isJsonObject(predicted) && isJsonObject(live)) return keepLiveLists(predicted, live);
  if (!Array.isArray(predicted) || !Array.isArray(live) || predicted.length !== live.length) return predicted;
  return equalJson(onlyItemsOf(predicted, live), predicted) ? live : predicted;
}
