import type { Condition, KubeObject } from '@fairlead/apimachinery';
import {
  dns1035Label,
  dns1123Subdomain,
  type FieldError,
  fieldError,
  formatTime,
  invalidEach,
  pathSegment,
  portNumber,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { unknownValue } from '../shape.ts';

interface ApiServiceSpec {
  group?: string;
  version?: string;
  groupPriorityMinimum?: number;
  versionPriority?: number;
  insecureSkipTLSVerify?: boolean;
  caBundle?: string;
  service?: { namespace?: string; name?: string; port?: number };
}

interface ApiServiceFields extends KubeObject {
  spec?: ApiServiceSpec;
  status?: { conditions?: Partial<Condition>[] };
}

const specOf = (draft: ApiServiceFields): ApiServiceSpec => draft.spec ?? {};

function validateSpec(spec: ApiServiceSpec): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec;
  const errors: FieldError[] = [];
  if (group === '' && version !== 'v1') {
    const detail = 'only v1 may have an empty group and it better be legacy kube';
    errors.push(fieldError.required('spec.group', detail));
  }
  if (group !== '') errors.push(...invalidEach('spec.group', group, dns1123Subdomain(group)));
  errors.push(...invalidEach('spec.version', version, dns1035Label(version)));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    const detail = 'must be positive and less than 20000';
    errors.push(fieldError.invalid('spec.groupPriorityMinimum', groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    errors.push(fieldError.invalid('spec.versionPriority', versionPriority, 'must be positive and less than 1000'));
  }
  return [...errors, ...(spec.service ? validateRemote(spec, spec.service) : validateLocal(spec))];
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: ApiServiceSpec): FieldError[] {
  const size = Buffer.byteLength(caBundle ?? '', 'base64');
  return [
    ...(size > 0
      ? [fieldError.invalid('spec.caBundle', `${size} bytes`, 'local APIServices may not have a caBundle')]
      : []),
    ...(insecureSkipTLSVerify
      ? [fieldError.invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function validateRemote(spec: ApiServiceSpec, service: NonNullable<ApiServiceSpec['service']>): FieldError[] {
  const port = service.port ?? 0;
  const portProblems = portNumber(port);
  return [
    ...(service.namespace ? [] : [fieldError.required('spec.service.namespace')]),
    ...(service.name ? [] : [fieldError.required('spec.service.name')]),
    ...(portProblems.length > 0
      ? [fieldError.invalid('spec.service.port', port, `port is not valid: ${portProblems.join(', ')}`)]
      : []),
    ...(spec.insecureSkipTLSVerify && spec.caBundle
      ? [fieldError.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}

/** The name consists of the version and the group of the service. */
function validateOwnName(name: string, spec: ApiServiceSpec): FieldError[] {
  const required = `${spec.version ?? ''}.${spec.group ?? ''}`;
  if (pathSegment(name).length > 0 || name === required || name === '') return [];
  const detail = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`;
  return [fieldError.invalid('metadata.name', name, detail)];
}

export const apiServiceRules: KindRules<ApiServiceFields> = {
  prepareCreate(draft, context) {
    draft.status = {};
    if (specOf(draft).service) return;
    draft.status = {
      conditions: [
        {
          type: 'Available',
          status: 'True',
          lastTransitionTime: formatTime(context.clock.now()),
          reason: 'Local',
          message: 'Local APIServices are always available',
        },
      ],
    };
  },
  validate: (draft) => [...validateOwnName(draft.metadata.name ?? '', specOf(draft)), ...validateSpec(specOf(draft))],
  validateStatusUpdate: (draft) =>
    (draft.status?.conditions ?? []).flatMap(({ status = '' }, index) =>
      unknownValue(`status.conditions[${index}].status`, status, ['True', 'False', 'Unknown']),
    ),
  validateName: (name) => pathSegment(name),
  anyFinalizer: true,
  metadataOnUpdate: ['update', 'create'],
};
