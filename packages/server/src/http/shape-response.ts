import { decodeTyped, type JsonObject } from '@fairlead/apimachinery';
import { selectApplicationFields } from '../applications/application-fields.ts';
import { messageNamed } from '../messages/message-types.ts';
import type { Route } from '../messages/routes.ts';
import { selectFields } from './field-selection.ts';

/** Calls whose answers can be limited to some fields. */
export function selectedFields({ call }: Route, value: JsonObject, fields: string): JsonObject {
  if (fields === '') return value;
  if (call === 'Application.List') return selectApplicationFields(value, fields, 'items');
  if (call === 'Application.Watch') return selectApplicationFields(value, fields, 'application');
  return call === 'Project.List' || call === 'Application.ManagedResources' ? selectFields(value, fields) : value;
}

export const shapeResponse = (route: Pick<Route, 'response'>, result: JsonObject): JsonObject =>
  route.response === 'any' ? result : decodeTyped(result, messageNamed(route.response)).object;
