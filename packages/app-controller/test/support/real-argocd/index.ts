export { createArgoCDSettings, type StartSystem, startArgoCD } from './argocd.ts';
export { Processes } from './processes.ts';
