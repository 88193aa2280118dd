export { type LocalApi, openLocalApi } from './local-api.ts';
export { answerPolicyQuestion } from './rbac/check-request.ts';
export { policyText } from './rbac/policy.ts';
export { readPolicyFile } from './rbac/policy-file.ts';
export { PolicyError } from './rbac/policy-line.ts';
export { checkPolicy } from './rbac/validate-policy.ts';
export { type RunningServer, type StartServerOptions, startServer } from './start-server.ts';
