export {
  type NodePullStatus,
  type PrePullImage,
  type PrePullImageSpec,
  type PrePullImageStatus,
  prePullImageKind,
} from './pre-pull-image.ts';
export { type PrePullPolicy, prePullPolicyKind, type WorkloadKind, workloadKinds } from './pre-pull-policy.ts';
