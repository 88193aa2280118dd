import { isJsonObject } from '@fairlead/apimachinery';

export type EventData = Readonly<Record<string, unknown>>;

/** The data of an event, which is a JSON object. */
export function parseData(text: string): EventData {
  const data: unknown = JSON.parse(text);
  if (data === null) return {};
  if (!isJsonObject(data)) throw new Error('its data is not a JSON object');
  return data;
}
