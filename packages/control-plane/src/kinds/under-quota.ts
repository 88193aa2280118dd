import type { Resource } from '../resource.ts';
import { withAdmission } from './with-admission.ts';
import { quotaAdmission } from './workloads/index.ts';

/** Quotas may count any kind, including custom resources, so every kind is checked against them, last. */
export const underQuota = (resource: Resource): Resource =>
  resource.namespaced
    ? { ...resource, rules: withAdmission(resource.rules, { verify: quotaAdmission(resource) }) }
    : resource;
