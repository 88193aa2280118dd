/** Flags of kube-apiserver that affect workloads. */
export interface Settings {
  /** `--allow-privileged`; off by default, as in kube-apiserver. */
  readonly allowPrivileged: boolean;
}
