import type { LimitRangeFields, StorageClassFields } from '@fairlead/apimachinery/fields';
import { refuse } from '../../../errors.ts';
import type { RuleContext } from '../../../resource.ts';
import { compare } from '../quantity.ts';
import { type Claim, classOf } from './claim-types.ts';
import { defaultClass } from './default-class.ts';

const kind = { group: '', plural: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim' };
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** A claim without a class gets the default one, if there is one. */
export function giveDefaultClass(draft: Claim, context: RuleContext): void {
  if (classOf(draft) !== undefined) return;
  const name = defaultClass(context.find('storage.k8s.io/storageclasses'), defaultAnnotations);
  if (name !== undefined) (draft.spec ??= {}).storageClassName = name;
}

/** Validating checks run after validation on a real server, so that an error in the claim is reported first. */
export function refuseBeyondLimits(draft: Claim, context: RuleContext): void {
  const requests = draft.spec?.resources?.requests ?? {};
  const problems: string[] = [];
  const ranges: Iterable<LimitRangeFields> = context.find('core/limitranges', draft.metadata.namespace);
  for (const { spec } of ranges) {
    for (const { type, min = {}, max = {} } of spec?.limits ?? []) {
      if (type !== 'PersistentVolumeClaim') continue;
      for (const [name, limit] of Object.entries(min)) problems.push(...belowMinimum(name, limit, requests[name]));
      for (const [name, limit] of Object.entries(max)) problems.push(...aboveMaximum(name, limit, requests[name]));
    }
  }
  if (problems.length === 0) return;
  const listed = problems.join(', ');
  const why = problems.length === 1 ? listed : `[${listed}]`;
  throw refuse.forbidden(kind, draft.metadata.name, why);
}

function belowMinimum(name: string, limit: string, asked: string | undefined): string[] {
  const rule = `minimum ${name} usage per PersistentVolumeClaim is ${limit}`;
  if (asked === undefined) return [`${rule}.  No request is specified`];
  return compare(asked, limit) < 0 ? [`${rule}, but request is ${asked}`] : [];
}

function aboveMaximum(name: string, limit: string, asked: string | undefined): string[] {
  const rule = `maximum ${name} usage per PersistentVolumeClaim is ${limit}`;
  if (asked === undefined) return [`${rule}.  No request is specified`];
  return compare(asked, limit) > 0 ? [`${rule}, but request is ${asked}`] : [];
}

/** Only a bound claim can grow, and only if its class permits it. */
export function refuseBadResize(claim: Claim, old: Claim, context: RuleContext): void {
  const size = (of: Claim): string => of.spec?.resources?.requests?.['storage'] ?? '0';
  if (compare(size(claim), size(old)) <= 0) return;
  const refuseWith = (why: string): never => {
    throw refuse.forbidden(kind, claim.metadata.name, why);
  };
  if (old.status?.phase !== 'Bound') refuseWith('Only bound persistent volume claims can be expanded');
  const name = classOf(claim);
  const found: StorageClassFields | undefined =
    name && name === classOf(old) ? context.get('storage.k8s.io/storageclasses', '', name) : undefined;
  if (found?.allowVolumeExpansion) return;
  refuseWith(
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  );
}
