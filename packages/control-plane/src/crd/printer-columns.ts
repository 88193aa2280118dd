import { type Json, type KubeObject, parseJsonPath } from '@fairlead/apimachinery';
import type { Column, TableRules } from '../resource.ts';
import { humanDuration } from '../table/age.ts';
import type { PrinterColumn } from './definition.ts';

type Cell = string | number | boolean | null;

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The columns of `kubectl get` for a custom resource: its name and the columns of its CRD, or its age if the CRD has none. */
export function printerColumns(columns: readonly PrinterColumn[] | undefined): TableRules {
  const shown: { column: Column; cell(object: KubeObject, now: number): Cell }[] = [];
  for (const definition of columns?.length ? columns : [age]) {
    const path = parseJsonPath(definition.jsonPath);
    // As on a real server: an invalid path ends the table there.
    if (!path) break;
    shown.push({
      column: columnOf(definition),
      cell: (object, now) => cellOf(path(object)[0], definition.type, now),
    });
  }
  const name: Column = {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'The name of the object, unique in its namespace.',
    priority: 0,
  };
  return {
    columns: [name, ...shown.map((s) => s.column)],
    cells: (object, now) => [object.metadata.name, ...shown.map((s) => s.cell(object, now))],
  };
}

const columnOf = (definition: PrinterColumn): Column => ({
  name: definition.name,
  type: definition.type as Column['type'],
  ...(definition.format ? { format: definition.format } : {}),
  description: definition.description || `The value at ${definition.jsonPath} of the custom resource.`,
  priority: definition.priority ?? 0,
});

function cellOf(value: Json | undefined, type: string, now: number): Cell {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return null;
  }
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  return value === null ? '<nil>' : JSON.stringify(value);
}

function ageOf(time: string, now: number): string {
  const at = Date.parse(time);
  if (time === '') return '<unknown>';
  return Number.isNaN(at) ? '<invalid>' : humanDuration(now - at);
}
