import type { Command } from '../main.ts';

const overview = `Fairlead delivers what is in Git to Kubernetes.

  fairlead up        start everything on this machine: a Kubernetes API, a demo repository, an Application
  fairlead down      stop what up has started
  fairlead render    what a folder of manifests, a kustomization or a chart comes to
  fairlead diff      what a sync from a folder would change of an Application
  fairlead version   which version this is
  fairlead help      this page; fairlead help COMMAND for one command
`;

const pages: Readonly<Record<string, string>> = {
  up: `fairlead up [--data-dir DIR] [--port N] [--kubeconfig FILE]

Starts an embedded Kubernetes API with simulated nodes, the application controller, and a demo Git repository, all in this process and
on loopback only. Stops on Ctrl-C. A second start goes on where the last one ended.

  --data-dir DIR      where everything is kept; .fairlead in the current folder, or $FAIRLEAD_DATA_DIR
  --port N            port of the Kubernetes API; the one of the last start, or a free one
  --kubeconfig FILE   use the cluster of this file, and start no embedded one

  $ fairlead up
  $ export KUBECONFIG=$PWD/.fairlead/kubeconfig
  $ kubectl get applications -A
`,
  down: `fairlead down [--data-dir DIR]

Stops the instance that runs on a data folder, and waits until it has ended. What it keeps stays.
`,
  render: `fairlead render PATH [options]

Prints what an Application would deliver from a folder: plain manifests, a kustomization or a Helm chart, found by what is in it. Nothing
is started and nothing is changed. Errors name the file, the line and the expression; the exit code is then 1.

  -o, --output yaml|json|objects   yaml as the tool itself prints it (default), one JSON list, or a table of what there is
  --root DIR                       the folder that may be read; the repository that PATH is in, else PATH itself
  Charts:          -f FILE, --set, --set-string, --set-json, --set-file, --release-name, -n NAMESPACE, --include-crds, --skip-tests,
                   --skip-schema-validation, --kube-version, --api-versions, --helm-version
  Kustomizations:  --name-prefix, --name-suffix, --image
  Directories:     --recurse, --include GLOB, --exclude GLOB

  $ fairlead render deploy/overlays/prod
  $ fairlead render charts/web -f values-prod.yaml --set image.tag=1.2 -o objects
`,
  diff: `fairlead diff PATH --app NAME [options]

Renders a folder as the Application would, with its options, and compares it with what is in the cluster: each object that differs with
its fields, and a line that counts. What Secrets hold is not shown. Nothing is changed.

  --app NAME             the Application; --app-namespace NS when it is not in argocd
  --kubeconfig FILE      the cluster that it lives in; the one that kubectl would use
  --exit-code            end with 2 when there is a difference, 0 when there is none, 1 on errors
  --root DIR             the folder that may be read; the repository that PATH is in, else PATH itself
  --source N             of an Application with several sources, the one that PATH stands for, counted from 1
  --ref NAME=FOLDER      a folder for $NAME/… in value files

  $ fairlead diff deploy/overlays/prod --app shop
  $ fairlead diff charts/web --app web --exit-code || echo "not yet delivered"
`,
  version: 'fairlead version\n\nPrints the version.\n',
  help: overview,
};

export const run: Command = async ([topic]) => {
  console.log((topic !== undefined && pages[topic]) || overview);
  return 0;
};
