import { dns1123Subdomain, type FieldError, fieldError, invalidEach, pathSegment } from '@fairlead/apimachinery';
import type { RoleBindingFields } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { internalForm } from '../../internal-form.ts';
import { same, unknownValue } from '../shape.ts';
import { rbacName } from './roles.ts';

type Subject = NonNullable<RoleBindingFields['subjects']>[number];
type RoleRef = NonNullable<RoleBindingFields['roleRef']>;

const group = 'rbac.authorization.k8s.io';

function validateRoleRef({ apiGroup = '', kind = '', name = '' }: RoleRef, kinds: readonly string[]): FieldError[] {
  return [
    ...unknownValue('roleRef.apiGroup', apiGroup, [group]),
    ...unknownValue('roleRef.kind', kind, kinds),
    ...(name ? invalidEach('roleRef.name', name, pathSegment(name)) : [fieldError.required('roleRef.name')]),
  ];
}

function validateSubject(subject: Subject, path: string, namespaced: boolean): FieldError[] {
  const { kind = '', apiGroup = '', name = '' } = subject;
  const errors = name ? [] : [fieldError.required(`${path}.name`)];
  if (kind === 'User' || kind === 'Group') return [...errors, ...unknownValue(`${path}.apiGroup`, apiGroup, [group])];
  if (kind !== 'ServiceAccount') {
    return [...errors, fieldError.notSupportedInOrder(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
  return [
    ...errors,
    ...(name ? invalidEach(`${path}.name`, name, dns1123Subdomain(name)) : []),
    ...unknownValue(`${path}.apiGroup`, apiGroup, ['']),
    ...(namespaced || subject.namespace ? [] : [fieldError.required(`${path}.namespace`)]),
  ];
}

const bindingRules = (namespaced: boolean, kinds: readonly string[]): KindRules<RoleBindingFields> => ({
  validate(draft) {
    const { roleRef = {}, subjects = [] } = draft;
    return [
      ...validateRoleRef(roleRef, kinds),
      ...subjects.flatMap((subject, index) => validateSubject(subject, `subjects[${index}]`, namespaced)),
    ];
  },
  validateUpdate(draft, old) {
    const { roleRef = {} } = draft;
    if (same(roleRef, old.roleRef ?? {})) return [];
    return [fieldError.invalid('roleRef', internalForm(roleRef, 'rbac.v1.RoleRef'), 'cannot change roleRef')];
  },
  validateName: rbacName,
  metadataOnUpdate: ['create', 'update'],
});

export const roleBindingRules = bindingRules(true, ['Role', 'ClusterRole']);
export const clusterRoleBindingRules = bindingRules(false, ['ClusterRole']);
