import { type Condition, type FieldError, fieldError, formatTime, type KubeObject } from '@fairlead/apimachinery';
import type { KindRules, RuleContext } from '../../../resource.ts';
import { same, unknownValue } from '../shape.ts';
import { validateSignerName } from './signer-name.ts';

type RequestCondition = Partial<Omit<Condition, 'lastTransitionTime'>> & {
  lastUpdateTime?: string | null;
  lastTransitionTime?: string | null;
};

interface RequestSpec {
  request?: string;
  signerName?: string;
  usages?: string[];
  expirationSeconds?: number;
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

interface CertificateRequest extends KubeObject {
  spec?: RequestSpec;
  status?: { conditions?: RequestCondition[]; certificate?: string };
}

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const decisions = ['Approved', 'Denied'];
const final = [...decisions, 'Failed'];
const conditionsOf = (draft: CertificateRequest, type?: string): RequestCondition[] =>
  (draft.status?.conditions ?? []).filter((condition) => !type || condition.type === type);

/** The server records the requester, regardless of the body. */
function setRequester(draft: CertificateRequest, { user }: RuleContext): void {
  const spec = (draft.spec ??= {});
  for (const field of ['username', 'uid', 'groups', 'extra'] as const) delete spec[field];
  spec.username = user.name;
  if (user.uid) spec.uid = user.uid;
  if (user.groups.length > 0) spec.groups = [...user.groups];
  if (user.extra && Object.keys(user.extra).length > 0) {
    spec.extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  }
}

function stampConditions(draft: CertificateRequest, old: CertificateRequest, context: RuleContext): void {
  const now = formatTime(context.clock.now());
  for (const condition of conditionsOf(draft)) {
    condition.lastUpdateTime ??= now;
    const before = conditionsOf(old, condition.type).find(({ status }) => status === condition.status);
    condition.lastTransitionTime ??= before?.lastTransitionTime ?? now;
  }
}

function validateRequest(draft: CertificateRequest): FieldError[] {
  const { spec = {} } = draft;
  const text = Buffer.from(spec.request ?? '', 'base64').toString('latin1');
  const listed = spec.usages ?? [];
  const errors: FieldError[] = [];
  if (!/-----BEGIN CERTIFICATE REQUEST-----[\s\S]+-----END CERTIFICATE REQUEST-----/.test(text)) {
    const detail = 'PEM block type must be CERTIFICATE REQUEST';
    errors.push(fieldError.invalid('spec.request', spec.request ?? '', detail));
  }
  if (listed.length === 0) errors.push(fieldError.required('spec.usages'));
  errors.push(...listed.flatMap((usage, index) => unknownValue(`spec.usages[${index}]`, usage, usages)));
  errors.push(
    ...listed.flatMap((usage, index) =>
      listed.indexOf(usage) < index ? [fieldError.duplicate(`spec.usages[${index}]`, usage)] : [],
    ),
  );
  errors.push(...validateSignerName(spec.signerName ?? '', 'spec.signerName'));
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < 600) {
    const detail = 'may not specify a duration less than 600 seconds (10 minutes)';
    errors.push(fieldError.invalid('spec.expirationSeconds', spec.expirationSeconds, detail));
  }
  return [...errors, ...validateConditions(draft)];
}

function validateConditions(draft: CertificateRequest): FieldError[] {
  const path = 'status.conditions';
  const conditions = conditionsOf(draft);
  return conditions.flatMap(({ type = '', status = '' }, index) => {
    const before = conditions.slice(0, index).map((condition) => condition.type);
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    const allowed = final.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    return [
      ...(type ? [] : [fieldError.required(`${path}[${index}].type`)]),
      ...(status
        ? unknownValue(`${path}[${index}].status`, status, allowed)
        : [fieldError.required(`${path}[${index}].status`)]),
      ...(opposite && before.includes(opposite)
        ? [fieldError.invalid(path, type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(before.includes(type) ? [fieldError.duplicate(`${path}[${index}].type`, type)] : []),
    ];
  });
}

function validateChange(draft: CertificateRequest, old: CertificateRequest, subresource: string): FieldError[] {
  const path = 'status.conditions';
  const count = (of: CertificateRequest, type: string): number => conditionsOf(of, type).length;
  const removed = final
    .filter((type) => count(draft, type) < count(old, type))
    .map((type) => fieldError.forbidden(path, `updates may not remove a condition of type "${type}"`));
  const decided =
    subresource === 'approval'
      ? []
      : decisions.flatMap((type) => {
          if (count(draft, type) < count(old, type)) return [];
          if (count(draft, type) > count(old, type)) {
            return [fieldError.forbidden(path, `updates may not add a condition of type "${type}"`)];
          }
          if (same(conditionsOf(draft, type), conditionsOf(old, type))) return [];
          return [fieldError.forbidden(path, `updates may not modify a condition of type "${type}"`)];
        });
  return [...removed, ...decided, ...validateCertificateChange(draft, old, subresource)];
}

function validateCertificateChange(
  draft: CertificateRequest,
  old: CertificateRequest,
  subresource: string,
): FieldError[] {
  const before = old.status?.certificate;
  if (draft.status?.certificate === before) return [];
  const field = 'status.certificate';
  if (subresource !== 'status') return [fieldError.forbidden(field, 'updates may not set certificate content')];
  return before ? [fieldError.forbidden(field, 'updates may not modify existing certificate content')] : [];
}

export const certificateRequestRules: KindRules<CertificateRequest> = {
  prepareCreate(draft, context) {
    setRequester(draft, context);
    draft.status = {};
  },
  prepareUpdate(draft, old, context) {
    const kept = old;
    if (context.subresource !== 'approval') {
      if (context.subresource === 'status') stampConditions(draft, old, context);
      else Object.assign(draft, { spec: structuredClone(kept.spec ?? {}) });
      return;
    }
    stampConditions(draft, old, context);
    const conditions = conditionsOf(draft);
    const status = { ...structuredClone(kept.status ?? {}), ...(conditions.length > 0 ? { conditions } : {}) };
    if (conditions.length === 0) delete status.conditions;
    Object.assign(draft, { spec: structuredClone(kept.spec ?? {}), status });
  },
  validate: (draft) => validateRequest(draft),
  validateUpdate: (draft, old, context) => validateChange(draft, old, context.subresource),
  validateStatusUpdate: (draft, old) => [...validateRequest(draft), ...validateChange(draft, old, 'status')],
  validateName: () => [],
  metadataOnUpdate: ['create', 'update'],
};
