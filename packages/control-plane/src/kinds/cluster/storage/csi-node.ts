import type { KubeObject } from '@fairlead/apimachinery';
import { type FieldError, fieldError, invalidEach, qualifiedName } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { csiDriverName } from '../../workloads/pod-spec/volume-sources.ts';
import { immutable } from '../shape.ts';

interface NodeDriver {
  name?: string;
  nodeID?: string;
  topologyKeys?: string[] | null;
  allocatable?: { count?: number };
}

interface CsiNode extends KubeObject {
  spec?: { drivers?: NodeDriver[] | null };
}

const driversOf = (draft: CsiNode): NodeDriver[] => draft.spec?.drivers ?? [];

function validateDriver(driver: NodeDriver, path: string, names: Set<string>): FieldError[] {
  const { name = '', nodeID = '' } = driver;
  const topologyKeys = driver.topologyKeys ?? [];
  const count = driver.allocatable?.count ?? 0;
  const errors = [...csiDriverName(driver.name, `${path}.name`)];
  if (nodeID === '') errors.push(fieldError.required(`${path}.nodeID`));
  if (Buffer.byteLength(nodeID) > 256) {
    errors.push(fieldError.invalid(`${path}.nodeID`, nodeID, 'must be 256 characters or less'));
  }
  if (count < 0) {
    errors.push(fieldError.invalid(`${path}.allocatable.count`, count, 'must be greater than or equal to 0'));
  }
  if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
  names.add(name);
  for (const [index, key] of topologyKeys.entries()) {
    if (key === '') errors.push(fieldError.required(path));
    if (topologyKeys.indexOf(key) < index) errors.push(fieldError.duplicate(path, key));
    errors.push(...invalidEach(path, key, qualifiedName(key)));
  }
  return errors;
}

export const csiNodeRules: KindRules<CsiNode> = {
  validate(draft) {
    const names = new Set<string>();
    return driversOf(draft).flatMap((driver, index) => validateDriver(driver, `spec.drivers[${index}]`, names));
  },
  /** The entry of a driver is immutable except for its volume limit. */
  validateUpdate(draft, old) {
    const fixed = ({ allocatable: _, ...rest }: NodeDriver) => rest;
    return driversOf(old).flatMap((before) =>
      driversOf(draft)
        .filter((driver) => driver.name === before.name)
        .flatMap((driver) => immutable('spec.drivers', fixed(driver), fixed(before))),
    );
  },
  metadataOnUpdate: ['create'],
};
