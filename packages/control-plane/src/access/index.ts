export {
  type Attributes,
  forbidden,
  forbiddenError,
  type PathAttributes,
  type ResourceAttributes,
} from './attributes.ts';
export {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type PeerCertificate,
  unauthorized,
} from './authenticator.ts';
export {
  type AccessReads,
  type Authorizer,
  createAuthorizer,
  type Decision,
  type PolicyReads,
  rbacStorage,
} from './authorizer.ts';
export { type BootstrapObject, bootstrapPolicy } from './bootstrap.ts';
export { confirmNoEscalation } from './escalation.ts';
export { actingUser, type RequestHeaders } from './impersonation.ts';
export { reviewResources, userInfo } from './reviews.ts';
export { aggregateRules, clusterRoleAggregation } from './role-aggregation.ts';
export {
  type BoundTo,
  createServiceAccountTokens,
  type ServiceAccountTokens,
  type TokenContents,
} from './service-account-tokens.ts';
export { requestToken } from './token-request.ts';
export { anonymous, groups, serviceAccountName } from './users.ts';
