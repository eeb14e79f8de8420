/** The project's train.py: the training loop, in one process or several. */
import { counted, lines, sections, type PythonPart } from './python.ts';
import { scheduleText } from './schedule.ts';
import { differing, lastMatrix, uses, type ProjectSubject } from './subject.ts';

/** How the logits of a test image are computed, by the run's setting. */
const VIEWS = {
  one: { says: '', logits: 'logits = model(normalised(images[rows]))' },
  mirrored: {
    says: ', from the mean logits of each image and its mirror image',
    logits: 'x = normalised(images[rows])\n        logits = (model(x) + model(x.flip(3))) / 2',
  },
  shifted: {
    says: ', from the mean logits of six views',
    logits: 'logits = sum(model(view) for view in views(normalised(images[rows]))) / 6',
  },
};

const SIX_VIEWS = `def views(images):
    """Six views: the images, shifted by a pixel up and left, shifted down and right, and the mirror image of each."""
    bordered = F.pad(images, [1] * 4, mode="reflect")
    for view in (images, bordered[:, :, :-2, :-2], bordered[:, :, 2:, 2:]):
        yield view
        yield view.flip(3)`;

export function trainText(subject: ProjectSubject): string {
  const { testViews, freeze } = subject.settings;
  return sections(
    header(subject),
    scheduleText(subject),
    `def place():
    """The device of this process, and the backend that joins the processes: NCCL needs a GPU for each, gloo does not."""
    if not torch.cuda.is_available():
        return torch.device("cpu"), "gloo"
    gpus = torch.cuda.device_count()
    device = torch.device("cuda", LOCAL_RANK % gpus)
    if LOCAL_PROCESSES <= gpus:
        return device, "nccl"
    if LOCAL_RANK == 0:
        print(f"{LOCAL_PROCESSES} processes share {gpus} GPU(s): the losses stay the same, but it is slow", file=sys.stderr)
    return device, "gloo"


def share(count):
    """The rows, out of \`count\`, that this process computes."""
    return range(RANK * count // PROCESSES, (RANK + 1) * count // PROCESSES)


def summed(values):
    """The values, summed over all processes."""
    if PROCESSES > 1:
        dist.all_reduce(values)
    return values`,
    testViews === 'shifted' && SIX_VIEWS,
    freeze.length > 0 &&
      `def train_mode(model):
    """Training mode; frozen layers stay in evaluation mode and keep their running statistics."""
    model.train()
    for name, module in model.named_modules():
        if f"{name}.".startswith(FROZEN):
            module.eval()`,
    `@torch.no_grad()
def evaluate(model, images, labels):
    """Loss and accuracy over the test images${VIEWS[testViews].says}. Each process computes its share."""
    model.eval()
    sums = torch.zeros(2, dtype=torch.float64, device=images.device)
    for rows in torch.tensor(share(len(images))).split(500):
        ${VIEWS[testViews].logits}
        sums[0] += F.cross_entropy(logits, labels[rows], reduction="sum")
        sums[1] += (logits.argmax(1) == labels[rows]).sum()
    loss, accuracy = (summed(sums) / len(images)).tolist()
    return {"test_loss": loss, "test_accuracy": accuracy}`,
    subject.settings.ema !== undefined && averageText(subject),
    `def save(path, state):
    """Replaces the file atomically: if the program is killed, either the old state or the new one is there."""
    torch.save(state, f"{path}.part")
    os.replace(f"{path}.part", path)


def report(**values):
    if RANK == 0:
        print(json.dumps(values), flush=True)`,
    mainText(subject),
    `if __name__ == "__main__":
    try:
        main()
    except RuntimeError:
        if PROCESSES == 1:
            raise
        traceback.print_exc()
        print(
            f"process {RANK} of {PROCESSES} has ended. If it waited for another one or lost its connection, what that one says is"
            " the cause. The same command resumes from the latest checkpoint.",
            file=sys.stderr,
            flush=True,
        )
        os._exit(1)  # as at the end of main`,
  );
}

function header(subject: ProjectSubject): string {
  const { model, module, dataset, step, learningRate, settings } = subject;
  const { ema } = settings;
  const changes = learningRate !== undefined;
  const own = [
    'BATCH_SIZE',
    'LEARNING_RATE',
    ...(settings.lrFactors.length > 0 ? ['LEARNING_RATE_FACTORS'] : []),
    ...(changes && learningRate.steps !== subject.steps ? ['SCHEDULE_STEPS'] : []),
    ...(uses(subject, 'dropout') ? ['SEED'] : []),
    'STEPS',
    ...(settings.trainedEpochs.length > 0 ? ['TRAINED_EPOCHS'] : []),
    ...((learningRate?.warmupSteps ?? 0) > 0 ? ['WARMUP_STEPS'] : []),
    ...(differing(subject).includes('decay') ? ['WEIGHT_DECAY_FACTORS'] : []),
  ];
  const math = learningRate && ['cosine', 'one-cycle'].includes(learningRate.schedule);
  return lines(
    `"""Trains ${oneLine(model.title)} on ${dataset?.title ?? 'images in folders'}${step > 0 ? `, continuing the run at step ${counted(step)}` : ''}.

    python train.py --data DIR
    torchrun --nproc_per_node 2 train.py --data DIR      # the same batches, shared among two processes

Prints one JSON line per step and one per epoch. If started again, it resumes from its latest checkpoint.
"""
import argparse`,
    ema !== undefined && 'import copy',
    'import faulthandler',
    'import json',
    math && 'import math',
    'import os',
    'import sys',
    'import time',
    'import traceback',
    'from datetime import timedelta',
    '',
    'import torch',
    'import torch.distributed as dist',
    `from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel
`,
    uses(subject, 'batch_norm') && 'from batch_norm import synchronised',
    'from data import load_images, normalised, training_batch',
    `from model import ${module.name}`,
    settings.optimizer === 'muon' && 'from muon import Muon',
    uses(subject, 'dropout') && 'from random_numbers import step_seed',
    `from settings import ${own.join(', ')}`,
    '',
    'START = "start.pt"  # the state that wgrad exported',
    '',
    '# Set by torchrun.',
    'RANK = int(os.environ.get("RANK", 0))',
    'PROCESSES = int(os.environ.get("WORLD_SIZE", 1))',
    'LOCAL_RANK = int(os.environ.get("LOCAL_RANK", 0))  # on this machine',
    'LOCAL_PROCESSES = int(os.environ.get("LOCAL_WORLD_SIZE", 1))',
    '',
    'WAIT = timedelta(minutes=10)  # how long a process waits for another before it ends with an error',
    settings.freeze.length > 0 &&
      `\n# Frozen layers, as prefixes of parameter names.
FROZEN = (${settings.freeze.map((name) => `${JSON.stringify(`${name}.`)},`).join(' ')})`,
  );
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}"\\]+/gu, ' ').trim();

const averageText = ({ settings: { ema = 0 }, earlier }: ProjectSubject): string => `@torch.no_grad()
def move(average, model, step):
    """Updates the moving average after \`step\` steps; early steps count more."""
    t = step${earlier > 0 ? ` + ${earlier}` : ''}
    kept = min(${ema}, (1 + t) / (10 + t))
    for mean, value in zip(average.state_dict().values(), model.state_dict().values()):
        if value.is_floating_point():
            mean.mul_(kept).add_(value, alpha=1 - kept)
        else:
            mean.copy_(value)`;

function mainText(subject: ProjectSubject): string {
  const { module, settings, dataset } = subject;
  const { ema, clipNorm, labelSmoothing, augmentation, freeze, stopAccuracy, patience } = settings;
  const averaged = ema !== undefined;
  const evaluated = averaged ? 'average' : 'model';
  const smoothing = labelSmoothing > 0 ? `, label_smoothing=${labelSmoothing}` : '';
  const loss = (labels: string) => `F.cross_entropy(logits, ${labels}, reduction="sum"${smoothing})`;
  const state = [
    '"step": step',
    '"model": model.state_dict()',
    '"optimizer": optimizer.state_dict()["state"]',
    ...(averaged ? ['"average": average.state_dict()'] : []),
    ...(patience === undefined ? [] : ['"best": best']),
  ];
  const parts: PythonPart[] = [
    `def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="data", help="folder with ${dataset ? 'the files' : 'a folder'} of ${dataset?.title ?? 'images for each class'}")
    parser.add_argument("--steps", type=int, default=STEPS, help="train until the run has this many steps")
    parser.add_argument("--checkpoint", default="checkpoint.pt", help="file to save to and resume from")
    parser.add_argument("--save-every", type=int, default=500, help="steps between checkpoints; one is saved after every epoch too")
    parser.add_argument("--amp", action="store_true", help="mixed precision: bfloat16 where it is accurate enough")
    options = parser.parse_args()

    device, backend = place()
    if device.type == "cuda":
        torch.cuda.set_device(device)
        torch.backends.cudnn.allow_tf32 = options.amp  # without --amp full float32, as in the run
    if PROCESSES > 1:
        if PROCESSES > BATCH_SIZE:
            raise SystemExit(f"a batch of {BATCH_SIZE} images cannot be shared among {PROCESSES} processes")
        # PyTorch 1.13 would wait without end for a foreign program that has the port.
        faulthandler.dump_traceback_later(3 * WAIT.seconds, exit=True)
        dist.init_process_group(backend, timeout=WAIT)
        faulthandler.cancel_dump_traceback_later()

    path = options.checkpoint if os.path.exists(options.checkpoint) else START
    saved = torch.load(path, map_location="cpu", weights_only=True)
    step = saved["step"]
    if step >= options.steps and RANK == 0:
        print(f"{path} has {step} steps already; give more with --steps", file=sys.stderr)
    model = ${module.name}().to(device)
    model.load_state_dict(saved["model"])`,
    freeze.length > 0 &&
      `    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not name.startswith(FROZEN))`,
    averaged &&
      `    average = copy.deepcopy(model)
    average.load_state_dict(saved["average"])`,
    optimizerText(subject),
    '    optimizer.load_state_dict({**optimizer.state_dict(), "state": saved["optimizer"]})',
    patience !== undefined && '    best = saved["best"]',
    `    network = model
    if PROCESSES > 1:`,
    uses(subject, 'batch_norm') && '        network = synchronised(model)',
    `        network = DistributedDataParallel(network, device_ids=[device] if device.type == "cuda" else None)

    images, labels = (values.to(device) for values in load_images(options.data, "train"))
    test_images, test_labels = (values.to(device) for values in load_images(options.data, "test"))
    rows = share(BATCH_SIZE)
    losses, began = [], time.time()${freeze.length > 0 ? '\n    train_mode(model)' : ''}
    while step < options.steps:`,
    uses(subject, 'dropout') && '        torch.manual_seed(step_seed(SEED, step) + RANK)  # for dropout',
    subject.learningRate &&
      `        for group in optimizer.param_groups:
            group["lr"] = ${settings.lrFactors.length > 0 ? 'group["factor"] * ' : ''}learning_rate(step)`,
    augmentation.mixup > 0
      ? '        x, y, other, weight = training_batch(images, labels, step, rows)'
      : '        x, y = training_batch(images, labels, step, rows)',
    `        with torch.autocast(device.type, torch.bfloat16, enabled=options.amp):
            logits = network(x)
        logits = logits.float()`,
    augmentation.mixup > 0
      ? `        loss = weight * ${loss('y')}
        loss = (loss + (1 - weight) * ${loss('other')}) / BATCH_SIZE`
      : `        loss = ${loss('y')} / BATCH_SIZE`,
    `        optimizer.zero_grad(set_to_none=True)
        (loss * PROCESSES).backward()  # DistributedDataParallel takes the mean over the processes`,
    settings.trainedEpochs.length > 0 &&
      `        for name, epochs in TRAINED_EPOCHS.items():
            if step * BATCH_SIZE // len(images) + 1 not in epochs:
                model.get_parameter(name).grad = None  # keeps its value`,
    clipNorm !== undefined && `        torch.nn.utils.clip_grad_norm_(model.parameters(), ${clipNorm})`,
    `        optimizer.step()
        step += 1`,
    averaged && '        move(average, model, step)',
    `
        losses.append(loss.detach())
        epoch = step * BATCH_SIZE // len(images)
        ended = epoch > (step - 1) * BATCH_SIZE // len(images)
        stop = step == options.steps
        saves = ended or stop or step % options.save_every == 0
        if len(losses) == 50 or saves:  # not in every step: reading them waits for the GPU
            for i, value in enumerate(summed(torch.stack(losses)).tolist()):
                report(step=step - len(losses) + i + 1, loss=value)
            losses = []
        if ended or stop:
            seconds = round(time.time() - began, 3)
            result = evaluate(${evaluated}, test_images, test_labels)
            report(epoch=epoch, **result, seconds=seconds)
            ${freeze.length > 0 ? 'train_mode(model)' : 'model.train()'}
            began = time.time()`,
    (stopAccuracy !== undefined || patience !== undefined) && '        if ended:',
    stopAccuracy !== undefined &&
      `            stop = stop or result["test_accuracy"] >= ${stopAccuracy}  # the target`,
    patience !== undefined &&
      `            if result["test_accuracy"] > best["accuracy"]:
                best = {"accuracy": result["test_accuracy"], "epoch": epoch}
            stop = stop or epoch - best["epoch"] >= ${patience}  # the patience, in epochs`,
    `        if saves and RANK == 0:
            save(options.checkpoint, {
${state.map((one) => `                ${one},\n`).join('')}            })`,
    (stopAccuracy !== undefined || patience !== undefined) && `        if stop:\n            break`,
    `    if PROCESSES > 1:
        dist.barrier()  # with gloo, a process that leaves early can leave the others waiting forever
        dist.destroy_process_group()
        # Not by a return: it would wait, with Python's lock, for threads of gloo that may need the lock to free a tensor.
        sys.stdout.flush()
        os._exit(0)`,
  ];
  return lines(...parts);
}

function optimizerText(subject: ProjectSubject): string {
  const { settings } = subject;
  const { optimizer, momentum, nesterov, alpha, centered, eps, weightDecay, freeze } = settings;
  const named = (name: string, value: number | boolean, usual: number | boolean) =>
    value === usual ? [] : [`${name}=${typeof value === 'boolean' ? 'True' : value}`];
  const [kind, own] = {
    sgd: [
      'torch.optim.SGD',
      [...named('momentum', momentum, 0), ...named('nesterov', nesterov && momentum > 0, false)],
    ],
    adam: ['torch.optim.Adam', named('eps', eps, 1e-8)],
    adamw: ['torch.optim.AdamW', named('eps', eps, 1e-8)],
    muon: ['Muon', [`momentum=${momentum}`, `eps=${eps}`, ...named('nesterov', nesterov, false)]],
    rmsprop: [
      'torch.optim.RMSprop',
      [
        ...named('alpha', alpha, 0.99),
        ...named('eps', eps, 1e-8),
        ...named('momentum', momentum, 0),
        ...named('centered', centered, false),
      ],
    ],
  }[optimizer] as [string, string[]];
  const keys = differing(subject);
  const decay =
    keys.includes('isDecayed') || keys.includes('decay')
      ? []
      : named('weight_decay', weightDecay, optimizer === 'adamw' ? 0.01 : 0);
  const rest = ['lr=LEARNING_RATE', ...own, ...decay].join(', ');
  if (keys.length === 0) {
    const trained =
      freeze.length > 0 ? '[p for p in model.parameters() if p.requires_grad]' : 'model.parameters()';
    return `    optimizer = ${kind}(${trained}, ${rest})`;
  }
  const each = {
    factor: [
      'factor',
      'LEARNING_RATE_FACTORS.get(name, 1)',
      '"factor": factor, "lr": factor * LEARNING_RATE',
    ],
    isDecayed: ['decayed', 'parameter.ndim > 1', `"weight_decay": ${weightDecay} if decayed else 0.0`],
    decay: ['decay', 'WEIGHT_DECAY_FACTORS.get(name, 1)', `"weight_decay": decay * ${weightDecay}`],
    isMatrix: [
      'matrix',
      `parameter.ndim > 1 and name != ${JSON.stringify(lastMatrix(subject))}`,
      '"matrix": matrix',
    ],
  };
  const [names, values, fields] = [0, 1, 2].map((at) => keys.map((key) => each[key][at]).join(', '));
  const several = (text: string) => (keys.length > 1 ? `(${text})` : text);
  return lines(
    '    groups = {}',
    '    for name, parameter in model.named_parameters():',
    freeze.length > 0 && '        if not parameter.requires_grad:\n            continue',
    `        kind = ${several(values)}
        groups.setdefault(kind, []).append(parameter)
    groups = [
        {
            "params": parameters,
            ${fields.replaceAll(', "', ',\n            "')},
        }
        for ${several(names)}, parameters in groups.items()
    ]
    optimizer = ${kind}(groups, ${rest})`,
  );
}
