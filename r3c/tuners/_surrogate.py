"""The surrogate: observations in, mean and standard deviation on a set of candidates out. All of GPyTorch is here.

The covariance is Matern 5/2 with one length scale a column, under a prior that widens with the number of columns (the
idea of Hvarfner, Hellsten and Nardi, Vanilla Bayesian Optimization Performs Great in High Dimensions, 2024) but is
narrower than theirs: few observations say little about a length scale, and times of kernels have no flat directions.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from r3c.core.errors import MissingExtra

Array = NDArray[np.float64]

FIRST_STEPS, FURTHER_STEPS = 15, 8  # of the optimiser
FIT_ROWS_MAX = 400  # that hyper-parameters are learned from
_JITTER = 1e-6
_LEAST_VARIANCE = 1e-7


def import_gpytorch() -> tuple[Any, Any]:
    """`torch` and `gpytorch`, single-threaded: fits are small, and compilers need the cores.

    Raises:
        MissingExtra: one is not installed.
    """
    try:
        import gpytorch
        import torch
    except ImportError as error:
        raise MissingExtra(f"tuner bayes needs {error.name}", hint="pip install 'r3c[surrogate]'") from None
    torch.set_num_threads(1)
    return torch, gpytorch


class Surrogate:
    """An exact Gaussian process of few enough rows, and its posterior on candidates that are given beforehand.

    Hyper-parameters are learned now and then; in between, one more row costs one more row of the posterior's factors.

    Attributes:
        noise_guess: variance of the noise, before there is a reason to think otherwise, of values of variance 1.
    """

    def __init__(self, columns: int, noise_guess: float) -> None:
        self._torch, self._gpytorch = import_gpytorch()
        self._likelihood: Any = None
        self._covar = _covar(columns)
        self._mean = self._gpytorch.means.ConstantMean().double()
        self._noise_guess = noise_guess

    # --- hyper-parameters ---------------------------------------------------------------------------------------------

    def fit(self, x: Array, y: Array, noise: Array) -> None:
        """Learn from `x` (`n x d`) and `y` (`n`, scaled to variance 1); `noise` is the measured variance of each `y`.

        Starts where the last fit ended.
        """
        torch, gpytorch = self._torch, self._gpytorch
        x, y, noise = x[-FIT_ROWS_MAX:], y[-FIT_ROWS_MAX:], noise[-FIT_ROWS_MAX:]
        likelihood = _likelihood(self._noise_guess, noise)
        steps = FIRST_STEPS
        if self._likelihood is not None:
            steps = FURTHER_STEPS
            likelihood.second_noise_covar.load_state_dict(self._likelihood.second_noise_covar.state_dict())
        model = _model(torch.tensor(x), torch.tensor(y), likelihood, self._mean, self._covar)
        parameters = list(model.parameters())
        before = [parameter.detach().clone() for parameter in parameters]
        optimiser = torch.optim.LBFGS(parameters, lr=1.0, max_iter=steps, line_search_fn="strong_wolfe")
        objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)

        def loss() -> Any:
            optimiser.zero_grad()
            value = -objective(model(*model.train_inputs), model.train_targets)
            value.backward()
            return value

        model.train()
        with gpytorch.settings.fast_computations(False, False, False):
            try:
                optimiser.step(loss)
                failed = not all(bool(torch.isfinite(parameter).all()) for parameter in parameters)
            except (gpytorch.utils.errors.NanError, gpytorch.utils.errors.NotPSDError):
                failed = True
        if failed:
            with torch.no_grad():
                for parameter, value in zip(parameters, before, strict=True):
                    parameter.copy_(value)
        self._likelihood = likelihood

    # --- posterior ----------------------------------------------------------------------------------------------------

    def watch(self, rows: Array, noise: Array, candidates: Array) -> None:
        """Condition on `rows` (`n x d`) with measured variances `noise` (`n`); values come later.

        `candidates` (`m x d`) is where the posterior is wanted.
        """
        torch = self._torch
        self._candidates = torch.tensor(candidates, dtype=torch.float32)
        self._coarse_covar = copy.deepcopy(self._covar).float()  # there are many candidates, and six digits are enough
        self._rows = torch.tensor(rows)
        with torch.no_grad():
            extra = float(self._likelihood.second_noise.item())
            self._extra = extra + _JITTER
            self._prior = float(self._covar.outputscale.item())
            covar = self._covar(self._rows, self._rows).to_dense() + torch.diag(torch.tensor(noise) + self._extra)
            self._factor = torch.linalg.cholesky(covar)
            cross = self._coarse_covar(self._rows.float(), self._candidates).to_dense()
            self._whitened = torch.linalg.solve_triangular(self._factor.float(), cross, upper=False)
            self._explained = (self._whitened**2).sum(0)

    def append(self, row: Array, noise: float) -> None:
        """One more row (`d`)."""
        torch = self._torch
        with torch.no_grad():
            x = torch.tensor(row[None, :])
            near = self._covar(self._rows, x).to_dense()
            along = torch.linalg.solve_triangular(self._factor, near, upper=False)[:, 0]
            left = math.sqrt(max(self._prior + noise + self._extra - float(along @ along), 1e-8))
            cross = self._coarse_covar(x.float(), self._candidates).to_dense()[0]
            whitened = (cross - along.float() @ self._whitened) / left
            self._whitened = torch.cat([self._whitened, whitened[None]])
            self._explained += whitened**2
            count = len(self._rows)
            factor = torch.zeros(count + 1, count + 1, dtype=torch.float64)
            factor[:count, :count] = self._factor
            factor[count, :count] = along
            factor[count, count] = left
            self._factor = factor
            self._rows = torch.cat([self._rows, x])

    def posterior(self, y: Array) -> tuple[Array, Array]:
        """Mean and standard deviation on the candidates; `y` has one value for every row, NaN where it is not known.

        An unknown value is taken to be what the rows before it make it.
        """
        torch = self._torch
        known = ~np.isnan(y)
        with torch.no_grad():
            values, ones = torch.zeros(len(y), dtype=torch.float64), torch.zeros(len(y), dtype=torch.float64)
            factor = self._factor
            if known.all():
                both = torch.stack([torch.tensor(y), torch.ones(len(y), dtype=torch.float64)], 1)
                values, ones = torch.linalg.solve_triangular(factor, both, upper=False).unbind(1)
            else:
                for at in range(len(y)):
                    if known[at]:
                        values[at] = (y[at] - factor[at, :at] @ values[:at]) / factor[at, at]
                        ones[at] = (1.0 - factor[at, :at] @ ones[:at]) / factor[at, at]
            mean = float(values @ ones) / (float(ones @ ones) + 1e-9)
            means = (values - mean * ones).float() @ self._whitened + mean
            deviations = (self._prior - self._explained).clamp_min(_LEAST_VARIANCE).sqrt()
            return means.double().numpy(), deviations.double().numpy()


def _positive() -> Any:
    torch, gpytorch = import_gpytorch()
    return gpytorch.constraints.Positive(transform=torch.exp, inv_transform=torch.log)


def _mode_at(log: float, scale: float) -> Any:
    """A prior that is normal in the logarithm and the highest at `log`; the plain one is the highest below its median."""
    _, gpytorch = import_gpytorch()
    return gpytorch.priors.LogNormalPrior(log + scale**2, scale, validate_args=False)


def _covar(columns: int) -> Any:
    _, gpytorch = import_gpytorch()
    matern = gpytorch.kernels.MaternKernel(
        nu=2.5,
        ard_num_dims=columns,
        lengthscale_constraint=_positive(),
        lengthscale_prior=_mode_at(0.5 * math.log(columns) - 0.3, 0.7),
    )
    matern.lengthscale = 0.5 * math.sqrt(columns)
    covar = gpytorch.kernels.ScaleKernel(
        matern, outputscale_constraint=_positive(), outputscale_prior=_mode_at(0.0, 1.5)
    )
    covar.outputscale = 1.0
    return covar.double()


def _likelihood(noise_guess: float, noise: Array) -> Any:
    torch, gpytorch = import_gpytorch()
    likelihood = gpytorch.likelihoods.FixedNoiseGaussianLikelihood(
        torch.tensor(noise).clamp_min(_JITTER),
        learn_additional_noise=True,
        noise_prior=_mode_at(math.log(noise_guess), 1.5),
        noise_constraint=_positive(),
    )
    likelihood.second_noise = noise_guess
    return likelihood.double()


def _model(x: Any, y: Any, likelihood: Any, mean: Any, covar: Any) -> Any:
    _, gpytorch = import_gpytorch()
    base: Any = gpytorch.models.ExactGP

    class Model(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(x, y, likelihood)
            self.mean_module = mean
            self.covar_module = covar

        def forward(self, rows: Any) -> Any:
            return gpytorch.distributions.MultivariateNormal(self.mean_module(rows), self.covar_module(rows))

    return Model().double()


def normal_cdf(z: Array) -> Array:
    return np.asarray(0.5 * (1.0 + _erf(z / math.sqrt(2.0))))


def _erf(z: Array) -> Array:
    torch, _ = import_gpytorch()
    return np.asarray(torch.erf(torch.tensor(z)).numpy())


def expected_improvement(mean: Array, deviation: Array, best: float) -> Array:
    """Expected amount by which each point falls below `best`."""
    gap = best - mean
    z = gap / deviation
    density = np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)
    return np.asarray(gap * normal_cdf(z) + deviation * density)
